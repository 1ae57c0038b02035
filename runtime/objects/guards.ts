/** Type guards and prototype-safe access for decoded values. */
import type { ApiObject, JsonObject, JsonValue } from '../contract/index.js';

/** Returns whether a value is a JSON object (not an array, not null). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns whether a value has kind, version and metadata. Does not check their content. */
export function isApiObject(value: unknown): value is ApiObject {
  return (
    isObject(value) &&
    typeof value.kind === 'string' &&
    typeof value.apiVersion === 'string' &&
    isObject(value.metadata)
  );
}

/** Returns whether a value is a JSON array. */
export function isArray(value: JsonValue | undefined): value is JsonValue[] {
  return Array.isArray(value);
}

export function isString(value: unknown): value is string {
  return typeof value === 'string';
}

/** Returns whether a value is a whole number, as a JavaScript number or bigint. */
export function isInteger(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || Number.isInteger(value);
}

/** Returns whether a value is an array of strings. */
export function isStringArray(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isString);
}

/** Returns whether a value is an object with only strings as present values, such as labels. */
export function isStringMap(value: unknown): value is { [key: string]: string } {
  return isObject(value) && Object.values(value).every(isString);
}

/** Returns an own property of an object, never an inherited one. */
export function getOwn<Value>(object: { readonly [key: string]: Value }, key: string): Value | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets an own property, even for the key `__proto__` (an assignment would set the prototype). */
export function setOwn(object: JsonObject, key: string, value: JsonValue): void {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Returns the object at a key, or `undefined` if there is none. */
export function objectAt(object: JsonObject | undefined, key: string): JsonObject | undefined {
  const value = object === undefined ? undefined : getOwn(object, key);
  return isObject(value) ? value : undefined;
}

/** Returns a string as it is, and the empty string for any other value. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns the string at a key, or the empty string if there is none. */
export function stringAt(object: JsonObject | undefined, key: string): string {
  return textOf(object === undefined ? undefined : getOwn(object, key));
}

/** Returns the objects in the list at a key; an empty list if there is none. */
export function objectsAt(object: JsonObject | undefined, key: string): readonly JsonObject[] {
  const list = object === undefined ? undefined : getOwn(object, key);
  return isArray(list) ? list.filter(isObject) : [];
}

/** Returns the whole number of percent in a text such as `25%`, or `undefined` for other texts. */
export function parsePercent(text: string): number | undefined {
  return /^-?\d{1,9}%$/.test(text) ? Number.parseInt(text, 10) : undefined;
}

/**
 * Returns a number unchanged, or a percentage of a total, rounded up or down to a whole number. Returns `undefined` for
 * a text that is not a percentage.
 */
export function scaledValue(value: number | string, total: number, roundUp: boolean): number | undefined {
  if (typeof value === 'number') return value;
  const percent = parsePercent(value);
  if (percent === undefined) return undefined;
  const share = (percent * total) / 100;
  return roundUp ? Math.ceil(share) : Math.floor(share);
}

/** Returns a text as the 32-bit number that it represents, or unchanged if it is not one. */
export function parseIntOrString(text: string): number | string {
  const value = Number(text);
  return /^[-+]?\d{1,11}$/.test(text) && value === (value | 0) ? value : text;
}
