/** One step of a path into an object, in its FieldsV1 text: `f:name`, `k:{"key":"value"}`, `v:value`, `i:index`. */
import type { JsonObject, JsonValue } from '../contract/index.js';
import { isDeeper, recursionLevels } from '../objects/from-below.js';
import { isObject } from '../objects/guards.js';
import { byCodePoint, formatNumber, quote } from '../objects/printing.js';
import { canonicalJson, canonicalString, compareValues, sortedEntries } from './order.js';

/**
 * The canonical text of a step. Equal steps have equal texts, so texts are the keys of sets, and stored entries are
 * read without parsing steps.
 */
export type PathElement = string;

/** Returns the step to a member of an object. */
export function fieldElement(name: string): PathElement {
  return `f:${name}`;
}

/** Returns the step to the item of a set list that equals a value. */
export function valueElement(value: JsonValue): PathElement {
  return `v:${canonicalJson(value)}`;
}

/** A list-map key with its value. */
export type KeyField = readonly [name: string, value: JsonValue];

/** Returns the step to the item of a map list with these keys. `fields` must be sorted by name. */
export function keyElement(fields: readonly KeyField[]): PathElement {
  let text = 'k:{';
  for (const [name, value] of fields) {
    text += `${text.length > 3 ? ',' : ''}${canonicalString(name)}:${canonicalJson(value)}`;
  }
  return `${text}}`;
}

/** Returns the member name of a field step. */
export function fieldName(element: PathElement): string | undefined {
  return element.startsWith('f:') ? element.slice(2) : undefined;
}

/**
 * Returns the canonical form of a step that a client wrote. Returns `unknown` for a step of a kind that this version of
 * the format does not have, which readers skip. Returns `undefined` for other texts.
 */
export function canonicalElement(text: string): PathElement | 'unknown' | undefined {
  if (text.length < 2 || text[1] !== ':') return undefined;
  const rest = text.slice(2);
  switch (text[0]) {
    case 'f':
      return text;
    case 'v':
      return canonicalValue(rest);
    case 'k':
      return canonicalKey(rest);
    case 'i':
      return /^[+-]?\d{1,15}$/.test(rest) ? `i:${Number(rest)}` : undefined;
    default:
      return 'unknown';
  }
}

/**
 * Whole numbers too long for a double. Texts with such a number stay unchanged; they are not parsed and printed again.
 */
const LONG_NUMBER = /\d{16}/;

function canonicalValue(json: string): PathElement | undefined {
  const value = parse(json);
  if (value === undefined) return undefined;
  return LONG_NUMBER.test(json) ? `v:${json}` : valueElement(value);
}

function canonicalKey(json: string): PathElement | undefined {
  const fields = parse(json);
  if (!isObject(fields)) return undefined;
  return LONG_NUMBER.test(json) ? `k:${json}` : `k:${canonicalJson(fields)}`;
}

/** Parses the value of an item's key. Such values are never very deep. */
function parse(json: string): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(json);
    return isDeeper(value, recursionLevels) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** A step with its sort keys, so each text is parsed only once for all comparisons. */
interface OrderedElement {
  readonly element: PathElement;
  readonly rank: number;
  readonly content: JsonValue;
}

/**
 * Sorts steps as FieldsV1 prints them: members, keyed items, set items, indexes; each by content. Returns steps that
 * are already in order unchanged.
 */
export function inOrder(elements: readonly PathElement[]): readonly PathElement[] {
  const isField = (element: PathElement): boolean => element.charCodeAt(0) === FIELD;
  if (elements.every(isField)) return isSorted(elements, byCodePoint) ? elements : elements.toSorted(byCodePoint);
  const ordered = elements.map(toOrdered);
  if (isSorted(ordered, compareOrdered)) return elements;
  return ordered.sort(compareOrdered).map(({ element }) => element);
}

const FIELD = 'f'.charCodeAt(0);

function toOrdered(element: PathElement): OrderedElement {
  const rank = 'fkvi'.indexOf(element.charAt(0));
  const rest = element.slice(2);
  if (rank === 0) return { element, rank, content: rest };
  const value = parse(rest) ?? null;
  return { element, rank, content: isObject(value) && rank === 1 ? sortedEntries(value) : value };
}

const compareOrdered = (a: OrderedElement, b: OrderedElement): number =>
  a.rank - b.rank || compareValues(a.content, b.content);

function isSorted<T>(items: readonly T[], compare: (a: T, b: T) => number): boolean {
  let previous: T | undefined;
  for (const item of items) {
    if (previous !== undefined && compare(previous, item) > 0) return false;
    previous = item;
  }
  return true;
}

/** Prints a step for messages: `.name`, `[key="value"]`, `[="value"]`, `[0]`. */
export function printElement(element: PathElement): string {
  const rest = element.slice(2);
  if (element.startsWith('f:')) return `.${rest}`;
  if (element.startsWith('i:')) return `[${rest}]`;
  const value = parse(rest);
  if (element.startsWith('v:')) return `[=${value === undefined ? rest : printValue(value)}]`;
  return `[${isObject(value) ? printMembers(value) : rest}]`;
}

function printMembers(map: JsonObject): string {
  const names = Object.keys(map).sort(byCodePoint);
  return names.map((name) => `${name}=${printValue(map[name] ?? null)}`).join(',');
}

function printValue(value: JsonValue): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number' || typeof value === 'bigint') return formatNumber(value);
  if (Array.isArray(value)) return `[${value.map(printValue).join(',')}]`;
  return isObject(value) ? `{${printMembers(value).replaceAll(',', ';')}}` : String(value);
}

/** Prints a whole path for messages: `.spec.ports[port=80,protocol="TCP"].name`. */
export function printPath(path: readonly PathElement[]): string {
  return path.map(printElement).join('');
}
