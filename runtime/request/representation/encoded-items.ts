/** Messages of list items, each encoded once for all lists as long as there is room. */
import type { Entry } from '../../contract/index.js';
import type { ServedResource } from '../../resource/served-resource.js';

interface Item {
  readonly resource: ServedResource;
  readonly bytes: Uint8Array;
}

/** Keeps items by their entries, the least recently used going first. */
export class EncodedItems {
  readonly #kept = new Map<Entry, Item>();
  readonly #maxBytes: number;
  readonly #encode: (resource: ServedResource, entry: Entry) => Uint8Array;
  #bytes = 0;

  /** `maxBytes` bounds the memory for items. */
  constructor(maxBytes: number, encode: (resource: ServedResource, entry: Entry) => Uint8Array) {
    this.#maxBytes = maxBytes;
    this.#encode = encode;
  }

  /** Bytes held by the items that are kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Returns the message of an entry's object in the version of the resource if it is kept. */
  kept(resource: ServedResource, entry: Entry): Uint8Array | undefined {
    const known = this.#kept.get(entry);
    if (known?.resource !== resource) return undefined;
    this.#kept.delete(entry);
    this.#kept.set(entry, known);
    return known.bytes;
  }

  /** Returns the message of an entry's object in the version of the resource, and keeps it. */
  of(resource: ServedResource, entry: Entry): Uint8Array {
    const kept = this.kept(resource, entry);
    if (kept !== undefined) return kept;
    const other = this.#kept.get(entry);
    if (other !== undefined) this.#drop(entry, other);
    const bytes = exactly(this.#encode(resource, entry));
    this.#kept.set(entry, { resource, bytes });
    this.#bytes += bytes.length;
    for (const [oldest, item] of this.#kept) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#drop(oldest, item);
    }
    return bytes;
  }

  #drop(entry: Entry, item: Item): void {
    this.#kept.delete(entry);
    this.#bytes -= item.bytes.length;
  }
}

/** A copy in memory of its own: what encoders yield is part of a larger buffer, which would be kept with it. */
function exactly(bytes: Uint8Array): Uint8Array {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  copy.set(bytes);
  return copy;
}
