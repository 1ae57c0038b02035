/** Type guards and prototype-safe access for decoded values. */
import type { ApiObject, JsonObject, JsonValue } from '../contract/index.js';

/** Whether a value is a JSON object (not an array, not null). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value has the envelope of an API object: kind, version and metadata; what is in them is not looked at. */
export function isApiObject(value: unknown): value is ApiObject {
  return (
    isObject(value) &&
    typeof value.kind === 'string' &&
    typeof value.apiVersion === 'string' &&
    isObject(value.metadata)
  );
}

/** Whether a value is a JSON array. */
export function isArray(value: JsonValue | undefined): value is JsonValue[] {
  return Array.isArray(value);
}

export function isString(value: unknown): value is string {
  return typeof value === 'string';
}

/** Whether a value is a whole number, whichever of the two JavaScript types holds it. */
export function isInteger(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || Number.isInteger(value);
}

/** Whether a value is an array that holds strings only. */
export function isStringArray(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isString);
}

/** Whether a value is an object whose present values are all strings, such as labels. */
export function isStringMap(value: unknown): value is { [key: string]: string } {
  return isObject(value) && Object.values(value).every(isString);
}

/** Own property of an object; never one that came from a prototype. */
export function getOwn<Value>(object: { readonly [key: string]: Value }, key: string): Value | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets an own property, also where the key is `__proto__` (which an assignment would take for the prototype). */
export function setOwn(object: JsonObject, key: string, value: JsonValue): void {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

/** The object at a key, or `undefined` where there is none. */
export function objectAt(object: JsonObject | undefined, key: string): JsonObject | undefined {
  const value = object === undefined ? undefined : getOwn(object, key);
  return isObject(value) ? value : undefined;
}

/** The string at a key, or the empty string where there is none. */
export function stringAt(object: JsonObject | undefined, key: string): string {
  const value = object === undefined ? undefined : getOwn(object, key);
  return typeof value === 'string' ? value : '';
}

/** The objects of the list at a key; none where there is no list. */
export function objectsAt(object: JsonObject | undefined, key: string): readonly JsonObject[] {
  const list = object === undefined ? undefined : getOwn(object, key);
  return isArray(list) ? list.filter(isObject) : [];
}

/** The whole number of percent in a text such as `25%`; `undefined` where it is none. */
export function parsePercent(text: string): number | undefined {
  return /^-?\d{1,9}%$/.test(text) ? Number.parseInt(text, 10) : undefined;
}

/**
 * A number as it is, or a percentage's share of a total, rounded up or down to a whole number; `undefined` for a text
 * that is no percentage.
 */
export function scaledValue(value: number | string, total: number, roundUp: boolean): number | undefined {
  if (typeof value === 'number') return value;
  const percent = parsePercent(value);
  if (percent === undefined) return undefined;
  const share = (percent * total) / 100;
  return roundUp ? Math.ceil(share) : Math.floor(share);
}

/** A text as the number that it writes, where that is one of 32 bits, else as it is. */
export function parseIntOrString(text: string): number | string {
  const value = Number(text);
  return /^[-+]?\d{1,11}$/.test(text) && value === (value | 0) ? value : text;
}
