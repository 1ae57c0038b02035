/** Reads parts of plain values; whatever has another shape counts as absent, since `check` reports it. */
import type { JsonObject, JsonValue } from '../contract/index.js';
import { getOwn, isObject } from '../objects/guards.js';

export { isObject };

/** A value of a definition; absent is `undefined`, like YAML's empty value. */
export type Raw = JsonValue | undefined;

/** Returns the mapping, or nothing. */
export function object(value: Raw): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

/** Returns the list; empty if there is none. */
export function list(value: Raw): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the own value of a key; inherited names such as `constructor` are absent. */
export function get(value: Raw, key: string): Raw {
  return isObject(value) ? getOwn(value, key) : undefined;
}

export function string(value: Raw): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function number(value: Raw): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

export function numeric(value: Raw): number | bigint | undefined {
  return typeof value === 'number' || typeof value === 'bigint' ? value : undefined;
}

/** Returns a number as a double; integers beyond 2^53 are rounded. */
export function double(value: Raw): number | undefined {
  return typeof value === 'bigint' ? Number(value) : number(value);
}

export function boolean(value: Raw): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

/** Returns the strings of a list. */
export function strings(value: Raw): readonly string[] {
  return list(value).filter((item) => typeof item === 'string');
}

/** Makes a reader that accepts only these strings. */
export function oneOf<T extends string>(allowed: readonly T[]): (value: Raw) => T | undefined {
  return (value) => allowed.find((each) => each === value);
}

/** Returns the mapping's keys with values; a key without a value is absent, as in the reference. */
export function written(value: JsonObject): readonly (readonly [string, JsonValue])[] {
  const entries: [string, JsonValue][] = [];
  for (const [key, each] of Object.entries(value)) if (each !== null && each !== undefined) entries.push([key, each]);
  return entries;
}

/** Removes the keys that hold `undefined`. */
export function compact<T extends object>(value: { [K in keyof T]: T[K] | undefined }): T;
export function compact(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined));
}
