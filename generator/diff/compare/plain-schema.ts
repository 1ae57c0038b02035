/** Schemas as plain values without texts, to compare and print. */
import type { JsonObject, JsonValue, Schema } from '../../../runtime/contract/index.js';
import { isObject } from '../../../runtime/objects/index.js';

/** Keys of a schema that affect no object and no client. */
export const words: ReadonlySet<string> = new Set([
  'title',
  'description',
  'example',
  'externalDocs',
  'x-kindforge-type',
  'x-kindforge-introduced',
  'x-kindforge-messages',
  // The relations of the definition are compared as a whole.
  'x-kindforge-references',
  'x-kindforge-unique-fields',
]);

const nodeLists: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf']);
const nodes: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'not']);
/** Lists in which order means nothing. */
const sets: ReadonlySet<string> = new Set(['required', 'enum', 'x-kubernetes-list-map-keys']);

/** Returns a schema without texts, and sorts lists in which order means nothing. */
export function plainSchema(schema: Schema): JsonObject {
  const plain: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    if (!words.has(key)) plain[key] = plainKeyword(key, value);
  }
  return plain;
}

/** Returns the value of one keyword in the same form. */
export function plainKeyword(key: string, value: unknown): JsonValue | undefined {
  if (key === 'properties' && isRecord(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, nodeOf(child)]));
  }
  if (nodes.has(key)) return nodeOf(value);
  if (nodeLists.has(key) && Array.isArray(value)) return value.map((each) => nodeOf(each) ?? null);
  const plain = plainValue(value);
  return sets.has(key) && Array.isArray(plain) ? sorted(plain) : plain;
}

const nodeOf = (value: unknown): JsonValue | undefined => (isRecord(value) ? plainSchema(value) : plainValue(value));

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => isObject(value);

/** Returns a copy of the JSON in a value. */
export function plainValue(value: unknown): JsonValue | undefined {
  if (value === null || ['string', 'number', 'boolean', 'bigint'].includes(typeof value)) return scalar(value);
  if (Array.isArray(value)) return value.map((each) => plainValue(each) ?? null);
  if (!isRecord(value)) return undefined;
  const entries = Object.entries(value).map(([key, each]) => [key, plainValue(each)] as const);
  return Object.fromEntries(entries.filter(([, each]) => each !== undefined));
}

function scalar(value: unknown): JsonValue | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  return typeof value === 'boolean' || typeof value === 'bigint' ? value : undefined;
}

function sorted(values: readonly JsonValue[]): JsonValue[] {
  const keyed = values.map((value) => [jsonText(value), value] as const);
  const unique = new Map(keyed);
  return [...unique].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, value]) => value);
}

/** Returns JSON on one line, with integers of any size as written. */
export const jsonText = (value: JsonValue | undefined): string =>
  value === undefined
    ? ''
    : JSON.stringify(value, (_key, each: unknown) => (typeof each === 'bigint' ? Number(each) : each));
