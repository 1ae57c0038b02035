/** Lists that are sets or maps. No item of a set, and no keys of a map's items, may occur twice. */
import type { FieldError, JsonObject, JsonValue } from '../../contract/index.js';
import { duplicate, invalidValue } from '../../objects/field-error.js';
import { getOwn, isObject, setOwn } from '../../objects/guards.js';
import type { Findings, Path } from './findings.js';
import { identity, type Value } from './value.js';

/** Reports items of a set that occur twice. */
export function checkSet(value: Value, path: Path, errors: Findings): void {
  if (!Array.isArray(value) || value.length < 2) return;
  for (const index of repeats(value)) reportItem(path, index, errors, (item) => duplicate(item, value[index]));
}

/** Reports items of a map with the same keys. The value in each error is the keys. */
export function checkMap(value: Value, path: Path, keys: readonly string[], errors: Findings): void {
  if (!Array.isArray(value)) return;
  const stray = value.findIndex((item) => item !== null && !isObject(item));
  if (stray !== -1) {
    const problem = 'must be an object for an array of list-type map';
    reportItem(path, stray, errors, (item) => invalidValue(item, value[stray], problem));
    return;
  }
  if (value.length < 2) return;
  const identities = value.map((item) => keysOf(item, keys));
  for (const index of repeats(identities))
    reportItem(path, index, errors, (item) => duplicate(item, identities[index]));
}

function reportItem(list: Path, index: number, errors: Findings, errorAt: (path: string) => FieldError): void {
  errors.push(errorAt(`${list}[${index}]`), [...list.place(), index]);
}

/** Returns the keys that identify an item. Absent keys stay absent. */
function keysOf(item: JsonValue, keys: readonly string[]): JsonObject {
  const found: JsonObject = {};
  if (!isObject(item)) return found;
  for (const key of keys) {
    const value = getOwn(item, key);
    if (value !== undefined) setOwn(found, key, value);
  }
  return found;
}

/** Finds repeats during the walk of a list. */
export class Repeats {
  private readonly seen = new Set<string>();

  /** Returns whether an equal value came before. */
  includes(value: Value): boolean {
    const text = identity(value);
    if (this.seen.has(text)) return true;
    this.seen.add(text);
    return false;
  }
}

/** Returns the indexes of items that repeat an earlier item. Includes only the first of several repeats. */
function repeats(items: readonly Value[]): number[] {
  const seen = new Map<string, number>();
  const found: number[] = [];
  items.forEach((item, index) => {
    const key = identity(item);
    const times = seen.get(key) ?? 0;
    seen.set(key, times + 1);
    if (times === 1) found.push(index);
  });
  return found;
}
