/** Reads of decoded objects that take nothing for granted but their shape as JSON. */
import type { JsonObject, JsonValue } from '../../runtime/contract/index.js';
import { getOwn, isArray, isInteger, isObject, isString } from '../../runtime/objects/guards.js';

/** The list at a key; empty where there is none. */
export function listAt(object: JsonObject | undefined, key: string): readonly JsonValue[] {
  const list = object === undefined ? undefined : getOwn(object, key);
  return isArray(list) ? list : [];
}

/** The objects of the list at a key; an item that is none reads as an empty object, so that places stay right. */
export function objectsAt(object: JsonObject | undefined, key: string): readonly JsonObject[] {
  return listAt(object, key).map((item) => (isObject(item) ? item : {}));
}

/** The texts of the list at a key; an item that is none reads as the empty text. */
export function textsAt(object: JsonObject | undefined, key: string): readonly string[] {
  return listAt(object, key).map((item) => (isString(item) ? item : ''));
}

/** The whole number at a key. */
export function integerAt(object: JsonObject | undefined, key: string): number | bigint | undefined {
  const value = object === undefined ? undefined : getOwn(object, key);
  return isInteger(value) ? value : undefined;
}

/** Whether the value at a key is `true`. */
export function isTrueAt(object: JsonObject | undefined, key: string): boolean {
  return object !== undefined && getOwn(object, key) === true;
}

/** Whether something is at a key, `null` not counted. */
export function hasAt(object: JsonObject | undefined, key: string): boolean {
  const value = object === undefined ? undefined : getOwn(object, key);
  return value !== undefined && value !== null;
}

/** The number at a key, or the fallback where there is none. Numbers beyond 2^53 are out of every range asked for. */
export function numberAt(object: JsonObject | undefined, key: string, fallback = 0): number {
  const value = object === undefined ? undefined : getOwn(object, key);
  return typeof value === 'number' ? value : typeof value === 'bigint' ? Number(value) : fallback;
}
