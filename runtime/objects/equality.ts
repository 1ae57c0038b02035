/** Deep equality of decoded values. */
import type { JsonObject, JsonValue } from '../contract/index.js';
import { Later, recursionLevels } from './from-below.js';
import { isArray, isObject } from './guards.js';

/**
 * Returns whether two values are the same JSON. The order of keys does not count, a key with `undefined` is absent, and
 * a number equals a bigint of the same value. Visits each node at most once.
 */
export function equal(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return equalAt(a, b, 0);
}

const later = new Later();

function equalAt(a: JsonValue | undefined, b: JsonValue | undefined, level: number): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object') return equalScalars(a, b);
  if (a === null || b === null) return false;
  if (level === recursionLevels) return later.all(() => equalAt(a, b, 0));
  if (Array.isArray(a)) return Array.isArray(b) && equalArrays(a, b, level + 1);
  return !Array.isArray(b) && equalObjects(a, b, level + 1);
}

function equalScalars(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  // A number never equals a bigint under ===, so this compares both as bigints.
  if (typeof a === 'bigint' && typeof b === 'number') return Number.isInteger(b) && a === BigInt(b);
  if (typeof a === 'number' && typeof b === 'bigint') return Number.isInteger(a) && BigInt(a) === b;
  return false;
}

function equalArrays(a: readonly JsonValue[], b: readonly JsonValue[], level: number): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!equalAt(a[i], b[i], level)) return false;
  return true;
}

function equalObjects(a: JsonObject, b: JsonObject, level: number): boolean {
  let present = 0;
  for (const key of Object.keys(a)) {
    const value = a[key];
    if (value === undefined) continue;
    present++;
    if (!Object.hasOwn(b, key) || !equalAt(value, b[key], level)) return false;
  }
  for (const key of Object.keys(b)) if (b[key] !== undefined) present--;
  return present === 0;
}

/**
 * Returns a JSON patch from one value to another. Lists of equal length are compared item by item; other lists, and
 * values nested deeper than 200 levels, are replaced.
 */
export const changesBetween = (before: JsonValue, after: JsonValue): readonly JsonObject[] =>
  changesBelow(before, after, '', 0);

function changesBelow(before: JsonValue, after: JsonValue, path: string, level: number): readonly JsonObject[] {
  if (equal(before, after)) return [];
  if (level === recursionLevels) return [{ op: 'replace', path, value: after }];
  if (isObject(before) && isObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) => changesAt(before[key], after[key], `${path}/${escaped(key)}`, level + 1));
  }
  if (isArray(before) && isArray(after) && before.length === after.length) {
    return before.flatMap((item, i) => changesAt(item, after[i], `${path}/${i}`, level + 1));
  }
  return [{ op: 'replace', path, value: after }];
}

function changesAt(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  path: string,
  level: number,
): readonly JsonObject[] {
  if (before === undefined) return after === undefined ? [] : [{ op: 'add', path, value: after }];
  return after === undefined ? [{ op: 'remove', path }] : changesBelow(before, after, path, level);
}

/** Escapes a key as RFC 6901 requires. */
const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');
