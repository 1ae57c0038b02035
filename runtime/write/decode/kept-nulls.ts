/** Keeps the nulls of a structural object through a change that takes them for absent fields. */
import type { JsonObject, JsonValue } from '../../contract/index.js';
import { clone } from '../../objects/clone.js';
import { Later, recursionLevels } from '../../objects/from-below.js';
import { getOwn, isObject, setOwn } from '../../objects/guards.js';
import type { ServedResource } from '../../resource/served-resource.js';

/**
 * Runs a change of an object, in place, that drops the nulls its schema does not allow, and puts those back that got no
 * default. A decoder may drop what a client wrote as null, but a null that a merge left is no field that is absent:
 * validation has to find it. Metadata has no part in this. Typed kinds have no such nulls, and are only changed.
 */
export function keepingNulls<T>({ module }: ServedResource, object: JsonObject, change: () => T): T {
  if (module.decoding !== 'structural') return change();
  const { metadata: _, ...parts } = object;
  if (!holdsNull(parts, 0)) return change();
  const before = clone(parts);
  const result = change();
  putBack(before, object, 0);
  return result;
}

const later = new Later();

function holdsNull(value: JsonValue | undefined, level: number): boolean {
  if (typeof value !== 'object') return false;
  if (value === null) return true;
  if (level === recursionLevels) return !later.all(() => !holdsNull(value, 0));
  const values = Array.isArray(value) ? value : Object.values(value);
  return values.some((child) => holdsNull(child, level + 1));
}

function putBack(before: JsonValue, after: JsonValue | undefined, level: number): void {
  if (level === recursionLevels) {
    later.run(() => putBack(before, after, 0));
    return;
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    for (const [position, item] of before.entries()) putBack(item, after[position], level + 1);
  }
  if (!isObject(before) || !isObject(after)) return;
  for (const [key, value] of Object.entries(before)) {
    if (value === undefined) continue;
    const found = getOwn(after, key);
    if (value === null && found === undefined) setOwn(after, key, null);
    else if (typeof value === 'object') putBack(value, found, level + 1);
  }
}
