/** Orders JSON values, to sort path elements. */
import type { JsonObject, JsonValue } from '../contract/index.js';
import { clone } from '../objects/clone.js';
import { recursionLevels, writeJson } from '../objects/from-below.js';
import { isObject } from '../objects/guards.js';
import { byCodePoint } from '../objects/printing.js';

/** Compares values: first by kind (numbers, strings, booleans, lists, objects, null), then by content. */
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

/** Returns alternating names and values, sorted by name. */
export function sortedEntries(map: JsonObject): JsonValue[] {
  const names = Object.keys(map).filter((name) => map[name] !== undefined);
  return names.sort(byCodePoint).flatMap((name) => [name, map[name] ?? null]);
}

/** A budget of characters, which copies use up. */
export interface CopyBudget {
  /** Characters of JSON text. */
  characters: number;
}

/** Makes a deep copy within the budget. Returns `undefined` if the budget is too small. */
export function boundedCopy(value: JsonValue, budget: CopyBudget): JsonValue | undefined {
  budget.characters -= charactersOf(value, budget.characters);
  return budget.characters < 0 ? undefined : clone(value);
}

/** Estimates the length of a value's JSON in characters. Ignores escapes, and stops soon after `most`. */
function charactersOf(value: JsonValue, most: number): number {
  let characters = 0;
  const waiting = [value];
  for (let next = waiting.pop(); next !== undefined && characters <= most; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) {
      characters += scalarLength(next);
      continue;
    }
    characters += 2;
    for (const key of Object.keys(next)) {
      const child = Array.isArray(next) ? next[Number(key)] : next[key];
      if (child === undefined) continue;
      characters += Array.isArray(next) ? 1 : scalarLength(key) + 2;
      waiting.push(child);
    }
  }
  return characters;
}

function scalarLength(value: string | number | bigint | boolean | null): number {
  return typeof value === 'string' ? value.length + 2 : String(value).length;
}

/** Characters that this format escapes in full, but JSON.stringify keeps or writes in short form. */
const UNUSUAL = /[<>&\u2028\u2029\b\f]/;
const ALL_UNUSUAL = /[<>&\u2028\u2029]|\\[bf]|\\\\/g;

/** Returns the canonical text of a value. */
export const canonicalJson = (value: JsonValue): string => textAt(value, 0);

function textAt(value: JsonValue, level: number): string {
  if (typeof value === 'string') return canonicalString(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (level === recursionLevels) return escapeAll(writeJson(value, { order: byCodePoint }));
  if (Array.isArray(value)) return `[${value.map((item) => textAt(item, level + 1)).join(',')}]`;
  const names = Object.keys(value).filter((name) => value[name] !== undefined);
  const members = names
    .sort(byCodePoint)
    .map((name) => `${canonicalString(name)}:${textAt(value[name] ?? null, level + 1)}`);
  return `{${members.join(',')}}`;
}

/** Text without characters to escape: printable ASCII without quotes, backslashes and the characters in `UNUSUAL`. */
const PLAIN = /^[ !#-%'-;=?-[\]-~]*$/;

/** Returns the canonical text of a string. Takes half the time of JSON.stringify for usual strings. */
export function canonicalString(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  const json = JSON.stringify(text);
  return UNUSUAL.test(text) ? escapeAll(json) : json;
}

/** Escapes JSON. Only its strings have characters to escape. */
const escapeAll = (json: string): string => json.replace(ALL_UNUSUAL, escapeMatch);

function escapeMatch(match: string): string {
  if (match === '\\\\') return match;
  if (match === '\\b') return '\\u0008';
  if (match === '\\f') return '\\u000c';
  return `\\u${match.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
