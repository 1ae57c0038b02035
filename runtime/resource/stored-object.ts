/** Reads a stored entry back into an object of the version that it was stored in. */

import { decodeEncoded } from '../codec/json.js';
import type { ApiObject, Entry } from '../contract/index.js';
import { isApiObject } from '../objects/guards.js';

/**
 * A fresh copy of an entry's object, free to be changed. Entries hold only what the server itself encoded, and storage
 * has checked their bytes, so anything else here is a defect of the program and thrown as one.
 */
export function objectOf(entry: Entry): ApiObject {
  const decoded = decodeEncoded(entry.bytes);
  if (isApiObject(decoded)) return decoded;
  throw new Error(`stored entry ${entry.key} at revision ${entry.revision} is not an API object`);
}
