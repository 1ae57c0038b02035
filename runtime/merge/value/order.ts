/** The total order of JSON values by which path elements are sorted. */
import type { JsonObject, JsonValue } from '../../contract/index.js';

/** Orders texts as their UTF-8 bytes are ordered. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return unitRank(x) - unitRank(y);
  }
  return a.length - b.length;
}

/** UTF-16 puts surrogates before U+E000 to U+FFFF, UTF-8 after them. */
function unitRank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/** Orders values: numbers, strings, booleans, lists, objects, null; within a kind by content. */
export function compareValues(a: JsonValue, b: JsonValue): number {
  const rank = kindRank(a) - kindRank(b);
  if (rank !== 0) return rank;
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  if (typeof a === 'boolean') return Number(a) - Number(b);
  if (Array.isArray(a) && Array.isArray(b)) return compareLists(a, b);
  if (isObjectLike(a) && isObjectLike(b)) return compareMaps(a, b);
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

function isObjectLike(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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
function sortedEntries(map: JsonObject): JsonValue[] {
  const names = Object.keys(map).filter((name) => map[name] !== undefined);
  return names.sort(compareText).flatMap((name) => [name, map[name] ?? null]);
}
