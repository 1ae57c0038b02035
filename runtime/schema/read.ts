/** Reads parts of plain values. A value of another shape counts as absent, because `check` reports it. */
import type { JsonObject, JsonValue } from '../contract/index.js';
import { getOwn, isObject } from '../objects/guards.js';

export { isObject };

/** A value of a definition. An absent value is `undefined`, like YAML's empty value. */
export type Raw = JsonValue | undefined;

/** Returns the value if it is a mapping, otherwise `undefined`. */
export function object(value: Raw): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

/** Returns the value if it is a list, otherwise an empty list. */
export function list(value: Raw): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the own value of a key. Inherited names such as `constructor` are absent. */
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

/** Returns a number as a double. Rounds integers beyond 2^53. */
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

/** Makes a reader that accepts only the `allowed` strings. */
export function oneOf<T extends string>(allowed: readonly T[]): (value: Raw) => T | undefined {
  return (value) => allowed.find((each) => each === value);
}

/** Returns the keys of a mapping with their values. As in the reference, a key without a value is absent. */
export function written(value: JsonObject): readonly (readonly [string, JsonValue])[] {
  const entries: [string, JsonValue][] = [];
  for (const [key, each] of Object.entries(value)) if (each !== null && each !== undefined) entries.push([key, each]);
  return entries;
}

/** Removes keys with the value `undefined`. */
export function compact<T extends object>(value: { [K in keyof T]: T[K] | undefined }): T;
export function compact(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined));
}
