/** One frozen object of each stored entry, for all who only read it. */
import type { ApiObject, Entry, JsonValue } from '../contract/index.js';
import type { ServedResource } from './served-resource.js';
import { readAs } from './versions.js';

const shared = new WeakMap<Entry, ApiObject>();

/**
 * An entry's object in the version that is stored now, for reading only: decoded once for all who ask, and frozen
 * through and through.
 */
export function sharedObjectOf({ stored }: Pick<ServedResource, 'stored'>, entry: Entry): ApiObject {
  const known = shared.get(entry);
  if (known !== undefined) return known;
  const object = readAs(stored, entry);
  freeze(object);
  shared.set(entry, object);
  return object;
}

function freeze(value: JsonValue | undefined): void {
  if (typeof value !== 'object' || value === null) return;
  Object.values(value).forEach(freeze);
  Object.freeze(value);
}
