/** Converts a field that is one item of a list in the other version; called by generated conversions. */
import type { JsonObject, JsonValue } from '../../contract/index.js';
import { clone } from '../../objects/clone.js';
import { equal } from '../../objects/equality.js';
import { isArray, isObject } from '../../objects/guards.js';
import type { Value } from '../engine/value.js';
import { putAt, takeAt, valueAt } from './places.js';

/** Which item it is, and where in it the field is. */
export interface ItemPlace {
  readonly where: readonly { readonly keys: readonly string[]; readonly value: JsonValue }[];
  readonly value: readonly string[];
}

/** The value of the first item that fits; with `take` the item goes, and the list once it is empty. */
export function takeItem(object: JsonObject, list: readonly string[], place: ItemPlace, take: boolean): Value {
  const items = valueAt(object, ...list);
  if (!isArray(items)) return undefined;
  const at = items.findIndex((item) => isObject(item) && fits(item, place));
  const found = items[at];
  if (!isObject(found)) return undefined;
  const value = valueAt(found, ...place.value);
  if (!take) return value;
  items.splice(at, 1);
  if (items.length === 0) takeAt(object, ...list);
  return value;
}

function fits(item: JsonObject, { where, value }: ItemPlace): boolean {
  if (valueAt(item, ...value) === undefined) return false;
  const expected = new Set([...where.map(({ keys }) => keys.join('.')), value.join('.')]);
  return where.every((each) => equal(valueAt(item, ...each.keys) ?? null, each.value)) && hasOnly(item, expected, '');
}

/** Whether an object has nothing but these leaves, since anything else would be lost with it. */
function hasOnly(object: JsonObject, leaves: ReadonlySet<string>, path: string): boolean {
  return Object.entries(object).every(([key, value]) => {
    const place = path === '' ? key : `${path}.${key}`;
    if (value === undefined || leaves.has(place)) return true;
    return isObject(value) && Object.keys(value).length > 0 && hasOnly(value, leaves, place);
  });
}

/** The value of the first item that has the values asked for, whatever else it has. */
export function readItem(object: JsonObject, list: readonly string[], { where, value }: ItemPlace): Value {
  const items = valueAt(object, ...list);
  if (!isArray(items)) return undefined;
  for (const item of items) {
    if (!isObject(item)) continue;
    const found = valueAt(item, ...value);
    if (found !== undefined && where.every((each) => equal(valueAt(item, ...each.keys) ?? null, each.value)))
      return found;
  }
  return undefined;
}

/** Adds the item of a value to the end of a list, which is made where there is none. */
export function putItem(object: JsonObject, value: Value, list: readonly string[], place: ItemPlace): void {
  if (value === undefined) return;
  const item: JsonObject = {};
  for (const each of place.where) putAt(item, clone(each.value), ...each.keys);
  putAt(item, value, ...place.value);
  const items = valueAt(object, ...list);
  if (isArray(items)) items.push(item);
  else putAt(object, [item], ...list);
}
