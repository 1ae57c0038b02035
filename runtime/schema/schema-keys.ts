/** Every key of a schema node, with its reader. Other keys are not part of the format. */
import type { Immutability, JsonValue, Schema, SchemaType, ValidationRule } from '../contract/index.js';
import { compareReleases } from '../objects/release.js';
import { boolean, compact, double, list, numeric, object, oneOf, type Raw, string, strings, written } from './read.js';

/** Reads the schema of a child node. */
export type ReadNode = (raw: Raw) => Schema | undefined;

type Reader<T> = (raw: JsonValue, node: ReadNode) => T | undefined;

/** The keys that a definition may contain. The other keys are set for resolved references, clients and relations. */
export type SchemaKey = Exclude<
  keyof Schema,
  | 'x-kindforge-type'
  | 'x-kindforge-within'
  | 'x-kindforge-unknown'
  | 'x-kindforge-references'
  | 'x-kindforge-unique-fields'
>;

/** Reads the earlier keywords by release, and sorts the releases. */
function readBefore(raw: JsonValue): Schema['x-kindforge-before'] {
  const releases = object(raw);
  if (releases === undefined) return undefined;
  const all = Object.entries(releases).map(([release, keywords]) => [release, object(keywords) ?? {}] as const);
  return Object.fromEntries(all.toSorted(([a], [b]) => compareReleases(a, b)));
}

const TYPES: readonly SchemaType[] = ['object', 'array', 'string', 'integer', 'number', 'boolean'];

/** The keys of CustomResourceDefinitions. */
export const schemaReaders: { readonly [K in SchemaKey]: Reader<Exclude<Schema[K], undefined>> } = {
  type: oneOf(TYPES),
  format: string,
  title: string,
  description: string,
  default: (raw) => raw,
  example: (raw) => raw,
  externalDocs: (raw) => raw,
  nullable: boolean,
  enum: (raw) => (Array.isArray(raw) ? raw : undefined),
  properties: (raw, node) => {
    const properties = object(raw);
    return properties && readNodes(properties, node);
  },
  additionalProperties: (raw, node) => (typeof raw === 'boolean' ? raw : node(raw)),
  required: strings,
  minProperties: numeric,
  maxProperties: numeric,
  items: (raw, node) => node(raw),
  minItems: numeric,
  maxItems: numeric,
  uniqueItems: boolean,
  minLength: numeric,
  maxLength: numeric,
  pattern: string,
  minimum: numeric,
  maximum: numeric,
  exclusiveMinimum: boolean,
  exclusiveMaximum: boolean,
  multipleOf: double,
  allOf: readNodeList,
  anyOf: readNodeList,
  oneOf: readNodeList,
  not: (raw, node) => node(raw),
  'x-kubernetes-preserve-unknown-fields': boolean,
  'x-kubernetes-embedded-resource': boolean,
  'x-kubernetes-int-or-string': boolean,
  'x-kubernetes-list-type': oneOf(['atomic', 'set', 'map']),
  'x-kubernetes-list-map-keys': strings,
  'x-kubernetes-map-type': oneOf(['atomic', 'granular']),
  'x-kubernetes-validations': (raw) => list(raw).flatMap((rule) => readRule(rule) ?? []),
  'x-kubernetes-patch-strategy': string,
  'x-kubernetes-patch-merge-key': string,
  'x-kindforge-or': oneOf(['schemas', 'boolean', 'texts']),
  'x-kindforge-presence': oneOf(['explicit', 'implicit', 'always', 'nullable']),
  'x-kindforge-immutable': (raw) => (typeof raw === 'boolean' ? raw : readImmutability(raw)),
  'x-kindforge-feature-gate': string,
  'x-kindforge-introduced': string,
  'x-kindforge-removed': string,
  'x-kindforge-before': readBefore,
  'x-kindforge-non-empty': boolean,
  'x-kindforge-unique': string,
  'x-kindforge-name-format': string,
  'x-kindforge-messages': (raw) => {
    const messages = object(raw);
    return messages && readStrings(messages);
  },
  'x-kindforge-report-as': string,
  'x-kindforge-time': oneOf(['micros']),
  'x-kindforge-unchecked': boolean,
};

/** Returns whether a key is part of the format. */
export function isSchemaKey(key: string): key is SchemaKey {
  return Object.hasOwn(schemaReaders, key);
}

/** Returns whether only native definitions may have a key. */
export function isNativeKey(key: string): boolean {
  return key.startsWith('x-kindforge-') || key.startsWith('x-kubernetes-patch-') || key === '$ref';
}

function readNodes(properties: Readonly<Record<string, Raw>>, node: ReadNode): Record<string, Schema> {
  // `fromEntries` defines keys and does not assign them, so a property called `__proto__` stays a property.
  return Object.fromEntries(Object.entries(properties).map(([name, raw]) => [name, node(raw) ?? {}]));
}

function readNodeList(raw: JsonValue, node: ReadNode): readonly Schema[] | undefined {
  return Array.isArray(raw) ? raw.map((each) => node(each) ?? {}) : undefined;
}

function readRule(raw: Raw): ValidationRule | undefined {
  const rule = object(raw);
  if (rule === undefined) return undefined;
  return compact<ValidationRule>({
    rule: string(rule.rule) ?? '',
    message: string(rule.message),
    messageExpression: string(rule.messageExpression),
    reason: string(rule.reason),
    fieldPath: string(rule.fieldPath),
    optionalOldSelf: boolean(rule.optionalOldSelf),
  });
}

function readImmutability(raw: Raw): Immutability | undefined {
  const value = object(raw);
  return value && compact<Immutability>({ field: string(value.field), message: string(value.message) });
}

function readStrings(raw: Readonly<Record<string, Raw>>): Record<string, string> {
  return Object.fromEntries(written(raw).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])));
}
