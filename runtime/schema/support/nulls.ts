/** Removal of nulls from fields that cannot be null. */
import type { JsonObject } from '../../contract/index.js';
import { isObject } from '../../objects/guards.js';
import type { Value } from './value.js';

/** Removes the properties of an object that are null, but for those that may be. */
export function dropNulls(object: JsonObject, nullable?: ReadonlySet<string>): void {
  for (const key in object) {
    if (object[key] === null && !nullable?.has(key)) delete object[key];
  }
}

/** Removes those of the named properties that are null; for objects that hold what no schema knows. */
export function dropNamedNulls(object: JsonObject, names: ReadonlySet<string>): void {
  for (const key in object) {
    if (object[key] === null && names.has(key)) delete object[key];
  }
}

/** Removes null properties at every depth, for parts without defaults and without fields that may be null. */
export function dropNullsBelow(value: Value): void {
  if (typeof value !== 'object' || value === null) return;
  const open: Value[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (isObject(next)) dropNulls(next);
    for (const child of childrenOf(next)) if (typeof child === 'object' && child !== null) open.push(child);
  }
}

function childrenOf(value: Value): Value[] {
  if (Array.isArray(value)) return value;
  return isObject(value) ? Object.values(value) : [];
}
