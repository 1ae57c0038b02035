/** Decoded values that may be absent, and their types. */
import type { JsonValue } from '../../contract/index.js';

export type Value = JsonValue | undefined;

/** The largest and smallest number of 64 bits. */
const maxInt64 = 2n ** 63n - 1n;
const minInt64 = -(2n ** 63n);

/** The JSON type of a value, in the words of error messages. */
export type TypeName = 'null' | 'boolean' | 'string' | 'integer' | 'number' | 'array' | 'object';

/** Whether a value is an integer that 64 bits hold; a float is one if it has no fraction and is exact. */
export function isInt64(value: Value): value is number | bigint {
  if (typeof value === 'number') return Number.isSafeInteger(value);
  return typeof value === 'bigint' && value >= minInt64 && value <= maxInt64;
}

export function isNumber(value: Value): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** The type of a value. Integers beyond 64 bits are numbers. */
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
