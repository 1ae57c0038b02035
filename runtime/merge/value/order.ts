/** The total order of JSON values by which path elements are sorted. */
import type { JsonObject, JsonValue } from '../../contract/index.js';
import { isObject } from '../../objects/guards.js';
import { byCodePoint } from '../../objects/printing.js';

/** Orders values: numbers, strings, booleans, lists, objects, null; within a kind by content. */
export function compareValues(a: JsonValue, b: JsonValue): number {
  const rank = kindRank(a) - kindRank(b);
  if (rank !== 0) return rank;
  if (typeof a === 'string' && typeof b === 'string') return byCodePoint(a, b);
  if (typeof a === 'boolean') return Number(a) - Number(b);
  if (Array.isArray(a) && Array.isArray(b)) return compareLists(a, b);
  if (isObject(a) && isObject(b)) return compareMaps(a, b);
  if (a === null || b === null) return 0;
  return a < b ? -1 : a > b ? 1 : 0;
}

function kindRank(value: JsonValue): number {
  if (value === null) return 5;
  if (Array.isArray(value)) return 3;
  return { number: 0, bigint: 0, string: 1, boolean: 2, object: 4 }[scalarKind(value)];
}

function scalarKind(value: Exclude<JsonValue, null>): 'number' | 'bigint' | 'string' | 'boolean' | 'object' {
  const kind = typeof value;
  return kind === 'number' || kind === 'bigint' || kind === 'string' || kind === 'boolean' ? kind : 'object';
}

function compareLists(a: readonly JsonValue[], b: readonly JsonValue[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const order = compareValues(a[i] ?? null, b[i] ?? null);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareMaps(a: JsonObject, b: JsonObject): number {
  return compareLists(sortedEntries(a), sortedEntries(b));
}

/** Names and values in turn, by name. */
export function sortedEntries(map: JsonObject): JsonValue[] {
  const names = Object.keys(map).filter((name) => map[name] !== undefined);
  return names.sort(byCodePoint).flatMap((name) => [name, map[name] ?? null]);
}
