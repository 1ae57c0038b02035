/** Reads and writes the places of an object; called by generated conversions. */
import type { JsonObject, JsonValue } from '../../contract/index.js';
import { clone } from '../../objects/clone.js';
import { equal } from '../../objects/equality.js';
import { getOwn, isArray, isObject, setOwn } from '../../objects/guards.js';
import type { Value } from '../engine/value.js';

/** The value that keys lead to. */
export function valueAt(object: JsonObject, ...keys: readonly string[]): Value {
  let value: Value = object;
  for (const key of keys) value = isObject(value) ? getOwn(value, key) : undefined;
  return value;
}

/** The objects in the list that keys lead to. */
export function itemsAt(object: JsonObject, ...keys: readonly string[]): JsonObject[] {
  const list = valueAt(object, ...keys);
  return isArray(list) ? list.filter(isObject) : [];
}

/** Takes the value that keys lead to out of its object, and with it the objects that have nothing else in them. */
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

/** Takes out the value that keys lead to, and leaves the object that it was in, even an empty one. */
export function dropAt(object: JsonObject, ...keys: readonly string[]): void {
  const around = valueAt(object, ...keys.slice(0, -1));
  const last = keys.at(-1);
  if (isObject(around) && last !== undefined) delete around[last];
}

/** Puts a value where keys lead to, if the object that it belongs to is there. */
export function addAt(object: JsonObject, value: JsonValue, ...keys: readonly string[]): void {
  if (isObject(valueAt(object, ...keys.slice(0, -1)))) putAt(object, clone(value), ...keys);
}

/** Puts a value where keys lead to; objects on the way are made. Nothing happens where there is no value. */
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

/** Whether a value is of a JSON type; integers of any size are numbers. */
export function isOf(value: Value, type: 'string' | 'number' | 'boolean' | 'object' | 'array'): boolean {
  if (type === 'array') return isArray(value);
  if (type === 'object') return isObject(value);
  return typeof value === type || (type === 'number' && typeof value === 'bigint');
}

/** Looks a value up in a table; returns the value itself where the table does not have it. */
export function meaningOf(value: Value, table: readonly (readonly [JsonValue, JsonValue])[]): Value {
  return table.find(([from]) => value !== undefined && equal(from, value))?.[1] ?? value;
}

/** Parts of a text, the last of which may have the separator in it; missing ones are absent. */
export function splitText(value: Value, separator: string, count: number): Value[] {
  if (typeof value !== 'string') return [];
  const parts = value.split(separator);
  if (parts.length > count) parts.push(parts.splice(count - 1).join(separator));
  return parts.map((part) => (part === '' ? undefined : part));
}

/** A text of parts; absent where all are. */
export function joinText(parts: readonly Value[], separator: string): Value {
  const texts = parts.map((part) => (typeof part === 'string' ? part : ''));
  while (texts.at(-1) === '') texts.pop();
  return texts.length === 0 ? undefined : texts.join(separator);
}
