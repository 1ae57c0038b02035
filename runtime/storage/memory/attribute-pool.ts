/** Shares the attributes of objects that have the same ones. */
import type { Attributes } from '../../contract/index.js';

/** Different sets of labels that are kept; one more, and all are forgotten. */
const CAPACITY = 4096;

const NO_FIELDS: Readonly<Record<string, string>> = Object.freeze({});

/**
 * Objects that one owner makes mostly have equal labels, and most kinds have no selectable fields. An object's own copy
 * of them would take some 200 bytes, an eighth of a small object.
 */
export class AttributePool {
  readonly #byLabels = new Map<string, Attributes>();

  /** Equal attributes that others may have, too. */
  share(attributes: Attributes): Attributes {
    if (attributes.outdated) return attributes;
    const { labels, fields } = attributes;
    const key = JSON.stringify(labels);
    let shared = this.#byLabels.get(key);
    if (!shared) {
      if (this.#byLabels.size === CAPACITY) this.#byLabels.clear();
      shared = { labels, fields: NO_FIELDS };
      this.#byLabels.set(key, shared);
    }
    return isEmpty(fields) ? shared : { labels: shared.labels, fields };
  }
}

function isEmpty(record: Readonly<Record<string, string>>): boolean {
  for (const _ in record) return false;
  return true;
}
