/** Reads a stored entry back into an object. */

import { decodeJson } from '../codec/json.js';
import type { ApiObject, Entry, JsonValue } from '../contract/index.js';
import { isApiObject } from '../objects/guards.js';

/**
 * A fresh copy of an entry's object, free to be changed. Entries hold only what the server itself encoded, and storage
 * has checked their bytes, so anything else here is a defect of the program and thrown as one.
 */
export function objectOf(entry: Entry): ApiObject {
  const decoded = decodeJson(entry.bytes);
  if (decoded.ok && isApiObject(decoded.value)) return decoded.value;
  throw new Error(`stored entry ${entry.key} at revision ${entry.revision} is not an API object`);
}

const shared = new WeakMap<Entry, ApiObject>();

/** An entry's object for reading only, decoded once for all who ask; it is frozen through and through. */
export function sharedObjectOf(entry: Entry): ApiObject {
  const known = shared.get(entry);
  if (known !== undefined) return known;
  const object = objectOf(entry);
  freeze(object);
  shared.set(entry, object);
  return object;
}

function freeze(value: JsonValue | undefined): void {
  if (typeof value !== 'object' || value === null) return;
  Object.values(value).forEach(freeze);
  Object.freeze(value);
}
