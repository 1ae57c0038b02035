/** Reads and writes the places of an object. Generated conversions call these functions. */
import type { JsonObject, JsonValue } from '../contract/index.js';
import { clone } from '../objects/clone.js';
import { equal } from '../objects/equality.js';
import { indentedLevels, isDeeper, writeJson } from '../objects/from-below.js';
import { getOwn, isArray, isObject, objectAt, setOwn } from '../objects/guards.js';
import type { Value } from './engine/value.js';

/** Returns the value at the end of keys. */
export function valueAt(object: JsonObject, ...keys: readonly string[]): Value {
  let value: Value = object;
  for (const key of keys) value = isObject(value) ? getOwn(value, key) : undefined;
  return value;
}

/** Returns the objects in the list at the end of keys. */
export function itemsAt(object: JsonObject, ...keys: readonly string[]): JsonObject[] {
  const list = valueAt(object, ...keys);
  return isArray(list) ? list.filter(isObject) : [];
}

/** Removes the value at the end of keys, and objects that become empty. Returns the value. */
export function takeAt(object: JsonObject, ...keys: readonly string[]): Value {
  const [key, ...rest] = keys;
  if (key === undefined) return undefined;
  const value = getOwn(object, key);
  if (rest.length === 0) {
    delete object[key];
    return value;
  }
  if (!isObject(value)) return undefined;
  const taken = takeAt(value, ...rest);
  if (taken !== undefined && isEmpty(value)) delete object[key];
  return taken;
}

/** Removes the value at the end of keys. Keeps its object, even if it becomes empty. */
export function dropAt(object: JsonObject, ...keys: readonly string[]): void {
  const around = valueAt(object, ...keys.slice(0, -1));
  const last = keys.at(-1);
  if (isObject(around) && last !== undefined) delete around[last];
}

/** Puts a value at the end of keys, if its object exists. */
export function addAt(object: JsonObject, value: JsonValue, ...keys: readonly string[]): void {
  if (isObject(valueAt(object, ...keys.slice(0, -1)))) putAt(object, clone(value), ...keys);
}

/** Puts a value at the end of keys, and makes missing objects for it. Does nothing without a value. */
export function putAt(object: JsonObject, value: Value, ...keys: readonly string[]): void {
  const [key, ...rest] = keys;
  if (key === undefined || value === undefined) return;
  if (rest.length === 0) {
    setOwn(object, key, value);
    return;
  }
  const known = getOwn(object, key);
  const next = isObject(known) ? known : {};
  if (next !== known) setOwn(object, key, next);
  putAt(next, value, ...rest);
}

function isEmpty(object: JsonObject): boolean {
  return Object.values(object).every((value) => value === undefined);
}

/** Returns whether a value is of a JSON type. Integers of any size are numbers. */
export function isOf(value: Value, type: 'string' | 'number' | 'boolean' | 'object' | 'array'): boolean {
  if (type === 'array') return isArray(value);
  if (type === 'object') return isObject(value);
  return typeof value === type || (type === 'number' && typeof value === 'bigint');
}

/** Looks up a value in a table. Returns the value itself if it is not in the table. */
export function meaningOf(value: Value, table: readonly (readonly [JsonValue, JsonValue])[]): Value {
  return table.find(([from]) => value !== undefined && equal(from, value))?.[1] ?? value;
}

/** Splits a text into parts. The last part may contain the separator. Empty parts are absent. */
export function splitText(value: Value, separator: string, count: number): Value[] {
  if (typeof value !== 'string') return [];
  const parts = value.split(separator);
  if (parts.length > count) parts.push(parts.splice(count - 1).join(separator));
  return parts.map((part) => (part === '' ? undefined : part));
}

/** Joins parts to a text. Returns `undefined` if all parts are absent. */
export function joinText(parts: readonly Value[], separator: string): Value {
  const texts = parts.map((part) => (typeof part === 'string' ? part : ''));
  while (texts.at(-1) === '') texts.pop();
  return texts.length === 0 ? undefined : texts.join(separator);
}

/**
 * Keeps a value in an annotation. An integer beyond 2^53 stays exact if it is the whole value; otherwise it is rounded.
 */
export function putAnnotation(object: JsonObject, value: Value, key: string, as: 'json' | 'text'): void {
  if (value === undefined || value === null) return;
  const text = as === 'text' && typeof value === 'string' ? value : jsonText(value);
  putAt(object, text, 'metadata', 'annotations', key);
}

/**
 * Removes the annotation of a kept value and returns the value. Returns `undefined` if there is none, or if its text is
 * not valid.
 */
export function takeAnnotation(object: JsonObject, key: string, as: 'json' | 'text'): Value {
  const metadata = objectAt(object, 'metadata');
  const text = metadata && takeAt(metadata, 'annotations', key);
  if (typeof text !== 'string') return undefined;
  if (as === 'text') return text;
  if (/^-?[1-9]\d{15,18}$/.test(text)) return exactInteger(text);
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads a long integer as in bodies: as a number if that is exact. */
function exactInteger(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

/** Returns the JSON of a value. V8's own function fails for more than a few thousand levels. */
function jsonText(value: Value): string {
  if (typeof value === 'bigint') return value.toString();
  if (isDeeper(value ?? null, indentedLevels)) return writeJson(value ?? null);
  return JSON.stringify(value, (_key, each: unknown) => (typeof each === 'bigint' ? Number(each) : each));
}

/** An item of a list, and the field in it. */
export interface ItemPlace {
  readonly where: readonly { readonly keys: readonly string[]; readonly value: JsonValue }[];
  readonly value: readonly string[];
}

/**
 * Returns the value of the first matching item. With `take`, also removes the item, and the list if it becomes empty.
 */
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

/** Returns whether an object has only these leaves. Other leaves would be lost with its removal. */
function hasOnly(object: JsonObject, leaves: ReadonlySet<string>, path: string): boolean {
  return Object.entries(object).every(([key, value]) => {
    const place = path === '' ? key : `${path}.${key}`;
    if (value === undefined || leaves.has(place)) return true;
    return isObject(value) && Object.keys(value).length > 0 && hasOnly(value, leaves, place);
  });
}

/** Returns the value of the first item with the requested values. The item may have other values too. */
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

/** Adds an item for a value at the end of a list. Makes the list if necessary. */
export function putItem(object: JsonObject, value: Value, list: readonly string[], place: ItemPlace): void {
  if (value === undefined) return;
  const item: JsonObject = {};
  for (const each of place.where) putAt(item, clone(each.value), ...each.keys);
  putAt(item, value, ...place.value);
  const items = valueAt(object, ...list);
  if (isArray(items)) items.push(item);
  else putAt(object, [item], ...list);
}

/** The text of the annotation of a written value, which is not an added default. */
const WRITTEN = 'written';

/** Adds the default to an absent field. Marks an equal value as written. */
export function addDefault(object: JsonObject, value: JsonValue, keys: readonly string[], annotation?: string): void {
  const known = valueAt(object, ...keys);
  if (known === undefined) addAt(object, value, ...keys);
  else if (annotation !== undefined && equal(known, value)) putAnnotation(object, WRITTEN, annotation, 'text');
}

/** Removes the default, unless it is marked as written. */
export function dropDefault(object: JsonObject, value: JsonValue, keys: readonly string[], annotation?: string): void {
  const isWritten = annotation !== undefined && takeAnnotation(object, annotation, 'text') === WRITTEN;
  const known = valueAt(object, ...keys);
  if (!isWritten && known !== undefined && equal(known, value)) dropAt(object, ...keys);
}

// Converts between a list and a single value, if the other version has only the first item. Generated conversions call
// these functions.

/** The paths of the list and the single value, and the annotation for the other items, if any. */
interface ListAndSingle {
  readonly list: readonly string[];
  readonly single: readonly string[];
  readonly annotation?: string;
}

/** Makes the first item the value. The annotation keeps the other items; `[]` if the list is empty. */
export function listToSingle(object: JsonObject, { list, single, annotation }: ListAndSingle): void {
  const items = takeAt(object, ...list);
  if (!isArray(items)) return;
  const [first, ...others] = items;
  putAt(object, first, ...single);
  if (annotation !== undefined && items.length !== 1) putAnnotation(object, others, annotation, 'json');
}

/** Makes a list from the value and the items in the annotation. */
export function singleToList(object: JsonObject, { list, single, annotation }: ListAndSingle): void {
  const first = takeAt(object, ...single);
  const others = annotation === undefined ? undefined : takeAnnotation(object, annotation, 'json');
  if (first === undefined && !isArray(others)) return;
  putAt(object, [...(first === undefined ? [] : [first]), ...(isArray(others) ? others : [])], ...list);
}
