/** Keeps the nulls of a structural object through a change that takes them for absent fields. */
import type { JsonObject, JsonValue } from '../../contract/index.js';
import { clone } from '../../objects/clone.js';
import { getOwn, isObject, setOwn } from '../../objects/guards.js';
import type { ServedResource } from '../served-resource.js';

/**
 * Runs a change of an object, in place, that drops the nulls its schema does not allow, and puts those back that got no
 * default. A decoder may drop what a client wrote as null, but a null that a merge left is no field that is absent:
 * validation has to find it. Metadata has no part in this. Typed kinds have no such nulls, and are only changed.
 */
export function keepingNulls<T>({ module }: ServedResource, object: JsonObject, change: () => T): T {
  if (module.decoding !== 'structural') return change();
  const { metadata: _, ...parts } = object;
  if (!holdsNull(parts)) return change();
  const before = clone(parts);
  const result = change();
  putBack(before, object);
  return result;
}

function holdsNull(value: JsonValue | undefined): boolean {
  if (typeof value !== 'object') return false;
  if (value === null) return true;
  return Array.isArray(value) ? value.some(holdsNull) : Object.values(value).some(holdsNull);
}

function putBack(before: JsonValue, after: JsonValue | undefined): void {
  if (Array.isArray(before) && Array.isArray(after)) {
    for (const [position, item] of before.entries()) putBack(item, after[position]);
  }
  if (!isObject(before) || !isObject(after)) return;
  for (const [key, value] of Object.entries(before)) {
    if (value === undefined) continue;
    const found = getOwn(after, key);
    if (value === null && found === undefined) setOwn(after, key, null);
    else putBack(value, found);
  }
}
