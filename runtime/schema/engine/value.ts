/** Decoded values that may be absent, and their types. */
import type { JsonValue } from '../../contract/index.js';
import { recursionLevels, writeJson } from '../../objects/from-below.js';
import { byCodePoint } from '../../objects/printing.js';

export type Value = JsonValue | undefined;

/** The largest and smallest integer of 64 bits. */
const maxInt64 = 2n ** 63n - 1n;
const minInt64 = -(2n ** 63n);

/** The JSON type of a value, in the words of error messages. */
export type TypeName = 'null' | 'boolean' | 'string' | 'integer' | 'number' | 'array' | 'object';

/** Returns whether a value is an integer of 64 bits. An exact float without a fraction is an integer too. */
export function isInt64(value: Value): value is number | bigint {
  if (typeof value === 'number') return Number.isSafeInteger(value);
  return typeof value === 'bigint' && value >= minInt64 && value <= maxInt64;
}

export function isNumber(value: Value): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** Returns the type of a value. Integers beyond 64 bits are numbers. */
export function typeName(value: Value): TypeName {
  if (value === null || value === undefined) return 'null';
  switch (typeof value) {
    case 'boolean':
      return 'boolean';
    case 'string':
      return 'string';
    case 'object':
      return Array.isArray(value) ? 'array' : 'object';
    default:
      return isInt64(value) ? 'integer' : 'number';
  }
}

/** Returns a text that is the same for equal values only. The order of keys does not count. */
export function identity(value: Value): string {
  if (typeof value === 'string') return `"${value}`;
  if (value === undefined || value === null || typeof value !== 'object') return String(value ?? null);
  return textAt(value, 0);
}

function textAt(value: Value, level: number): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value === undefined || value === null || typeof value !== 'object') return String(value ?? null);
  if (level === recursionLevels) return writeJson(value, { order: byCodePoint });
  if (Array.isArray(value)) return `[${value.map((item) => textAt(item, level + 1)).join(',')}]`;
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  return `{${keys
    .sort()
    .map((key) => `${JSON.stringify(key)}:${textAt(value[key], level + 1)}`)
    .join(',')}}`;
}
