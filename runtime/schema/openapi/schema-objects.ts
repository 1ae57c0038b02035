/** Converts the schema of a resource to the schema of a document. Shares nodes that need no change. */
import type { Schema } from '../../contract/index.js';
import { isThere } from '../../objects/release.js';
import { lifetimeOf } from '../schema-in-release.js';
import type { SchemaObject } from './document.js';
import { typeMeta } from './meta-fields.js';
import { type Conversion, type NodeRole, withoutNotes, withZeroDefault } from './zero-defaults.js';

/** The depth below which nodes become `{}`, any value. Real schemas are never as deep. */
const maxDepth = 200;

type Mutable<T> = { -readonly [key in keyof T]: T[key] };
type OwnKey = Extract<keyof Schema, `x-kindforge-${string}`>;

/** Keys for clients, because no other keyword can express relations. */
const publishedKeys: ReadonlySet<string> = new Set(['x-kindforge-references', 'x-kindforge-unique-fields']);

const isOwnKey = (key: string): key is OwnKey => key.startsWith('x-kindforge-') && !publishedKeys.has(key);

/** Converts a schema. Takes time linear in its nodes, and memory only for changed nodes and their parents. */
export function convertSchema(
  node: Schema,
  conversion: Conversion,
  depth = 0,
  place: NodeRole = 'field',
): SchemaObject {
  if (depth > maxDepth) return {};
  const type = sharedType(node, conversion);
  const reference = type === undefined ? undefined : conversion.reference(type, node);
  const written =
    reference === undefined ? convertBody(node, conversion, depth) : referTo(reference, node, conversion, place);
  return withZeroDefault(written, node, conversion, place, reference !== undefined);
}

/** Works like `convertSchema`, but never writes a reference for the node itself. Used for the definition of a type. */
export function convertBody(node: Schema, conversion: Conversion, depth = 0): SchemaObject {
  const told = conversion.decoding === 'structural' ? withoutNotes(node) : node;
  const own = withReadablePattern(conversion.version === 2 ? lower(told) : unfold(told, conversion));
  const children = convertChildren(own, conversion, depth + 1);
  return embedded(children, conversion);
}

function sharedType(node: Schema, { decoding }: Conversion): string | undefined {
  const name = node['x-kindforge-type'];
  if (name !== undefined || decoding === 'structural') return name;
  return node['x-kubernetes-int-or-string'] === true ? 'meta/v1#/IntOrString' : undefined;
}

/** Returns a reference, with the keywords of this use that the type does not have. */
function referTo(
  { $ref, own }: { readonly $ref: string; readonly own: Schema },
  node: Schema,
  conversion: Conversion,
  place: NodeRole,
): SchemaObject {
  const siblings = siblingsOf(conversion.version === 2 ? lower(node) : withoutOwnKeys(node), own);
  // For items of a list, kubectl shows this text and the text of the type. For fields it shows only this text.
  if (place === 'part' && node.description === own.description) delete siblings.description;
  if (Object.keys(siblings).length === 0) return { $ref };
  // OpenAPI 3.0 ignores keywords next to a reference, so this wraps the reference.
  return conversion.version === 2 ? { $ref, ...siblings } : { ...siblings, allOf: [{ $ref }] };
}

/** Keywords about the structure of a type. They cannot differ between its uses. */
const shapeKeys: ReadonlySet<string> = new Set([
  'type',
  'format',
  'properties',
  'items',
  'additionalProperties',
  'required',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'x-kubernetes-int-or-string',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
]);

function siblingsOf(node: Schema, own: Schema): Mutable<SchemaObject> {
  const ownValues = new Map<string, unknown>(Object.entries(own));
  const differing = Object.entries(node).filter(
    ([key, value]) => !shapeKeys.has(key) && (key === 'description' || !sameText(value, ownValues.get(key))),
  );
  return Object.fromEntries(differing);
}

/** Compares two small values of keywords by their JSON. */
function sameText(left: unknown, right: unknown): boolean {
  return left === right || exactJson(left) === exactJson(right);
}

const exactJson = (value: unknown): string | undefined =>
  JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part));

function withoutOwnKeys(node: Schema): Schema {
  if (!Object.keys(node).some(isOwnKey)) return node;
  const copy: Mutable<Schema> = { ...node };
  for (const key of Object.keys(copy)) if (isOwnKey(key)) delete copy[key];
  return copy;
}

/**
 * Reduces a node to the keywords that Swagger 2.0 can express and its clients accept: no junctors and no defaults. Also
 * removes the type or properties if null or unknown fields are allowed, because the clients would refuse both.
 */
function lower(node: Schema): Schema {
  const copy: Mutable<Schema> = { ...withoutOwnKeys(node) };
  const open = node['x-kubernetes-preserve-unknown-fields'] === true;
  delete copy.allOf;
  delete copy.anyOf;
  delete copy.oneOf;
  delete copy.not;
  delete copy.nullable;
  delete copy.default;
  if (node.nullable === true || open) {
    delete copy.items;
    delete copy.properties;
  }
  const shapeless = (copy.type === 'array' && copy.items === undefined) || (copy.type === 'object' && open);
  if (node.nullable === true || shapeless) delete copy.type;
  const required = requiredIn(node);
  if (required === undefined) delete copy.required;
  else copy.required = required;
  return Object.keys(copy).length === Object.keys(node).length && copy.required === node.required ? node : copy;
}

/** Returns the required properties except nullable ones, because a client may drop a null. */
function requiredIn({ required, properties, additionalProperties }: Schema): readonly string[] | undefined {
  if (required === undefined || required.length === 0) return undefined;
  if (typeof additionalProperties === 'object' && additionalProperties.nullable === true) return undefined;
  const isNullable = (name: string): boolean =>
    properties !== undefined && Object.hasOwn(properties, name) && properties[name]?.nullable === true;
  if (!required.some(isNullable)) return required;
  const kept = required.filter((name) => !isNullable(name));
  return kept.length === 0 ? undefined : kept;
}

/** Writes `x-kubernetes-int-or-string` in keywords of OpenAPI 3.0. */
function unfold(node: Schema, { decoding }: Conversion): Schema {
  const own = withoutOwnKeys(node);
  if (decoding === 'typed' || node['x-kubernetes-int-or-string'] !== true) return own;
  const eitherType: Schema = { anyOf: [{ type: 'integer' }, { type: 'string' }] };
  const saysSo = (part: Schema): boolean =>
    part.anyOf?.length === 2 && part.anyOf[0]?.type === 'integer' && part.anyOf[1]?.type === 'string';
  if (saysSo(own) || own.allOf?.some(saysSo)) return own;
  return own.anyOf === undefined ? { ...own, ...eitherType } : { ...own, allOf: [eitherType, ...(own.allOf ?? [])] };
}

/**
 * Converts a pattern. Documents use the dialect of ECMA 262, and schemas use RE2. Moves a pattern that only RE2
 * accepts, such as `(?i)yes`, to another keyword, so clients do not fail.
 */
function withReadablePattern(node: Schema): SchemaObject {
  if (node.pattern === undefined || isEcmaPattern(node.pattern)) return node;
  const { pattern, ...rest } = node;
  return { ...rest, 'x-re2-pattern': pattern };
}

const knownPatterns = new Map<string, boolean>();

/**
 * Returns whether a pattern is valid in ECMA 262. Remembers up to 10,000 answers, because definitions repeat a few
 * patterns thousands of times.
 */
function isEcmaPattern(pattern: string): boolean {
  const known = knownPatterns.get(pattern);
  if (known !== undefined) return known;
  if (knownPatterns.size >= 10_000) knownPatterns.clear();
  let valid = true;
  try {
    new RegExp(pattern, 'u');
  } catch {
    valid = false;
  }
  knownPatterns.set(pattern, valid);
  return valid;
}

function convertChildren(node: SchemaObject, conversion: Conversion, depth: number): SchemaObject {
  const { properties, items, additionalProperties } = node;
  const changed: Mutable<SchemaObject> = {};
  const isEmpty = properties !== undefined && Object.keys(properties).length === 0;
  if (properties !== undefined && !isEmpty) {
    const converted = convertProperties(properties, conversion, depth);
    if (converted !== properties) changed.properties = converted;
  }
  if (items !== undefined) {
    const converted = convertSchema(items, conversion, depth, 'part');
    if (converted !== items) changed.items = converted;
  }
  if (typeof additionalProperties === 'object') {
    const converted = convertSchema(additionalProperties, conversion, depth, 'part');
    if (converted !== additionalProperties) changed.additionalProperties = converted;
  }
  const all = Object.keys(changed).length === 0 ? node : { ...node, ...changed };
  return isEmpty ? withoutProperties(all) : all;
}

function withoutProperties({ properties: _empty, ...rest }: SchemaObject): SchemaObject {
  return rest;
}

function convertProperties(
  properties: Readonly<Record<string, Schema>>,
  conversion: Conversion,
  depth: number,
): Readonly<Record<string, SchemaObject>> {
  const { release } = conversion;
  const all = Object.entries(properties);
  const entries = release === undefined ? all : all.filter(([, child]) => isThere(lifetimeOf(child), release));
  const converted = entries.map(([name, child]) => [name, convertSchema(child, conversion, depth)] as const);
  // `fromEntries` defines keys and does not assign them, so a property called `__proto__` stays a property.
  return entries.length === all.length && converted.every(([, child], index) => child === entries[index]?.[1])
    ? properties
    : Object.fromEntries(converted);
}

/** Gives an embedded object the three fields that every object has. */
function embedded(node: SchemaObject, conversion: Conversion): SchemaObject {
  if (node['x-kubernetes-embedded-resource'] !== true) return node;
  if (conversion.version === 2 && node['x-kubernetes-preserve-unknown-fields'] === true) return node;
  const required = new Set([...(node.required ?? []), 'kind', 'apiVersion']);
  return { ...node, required: [...required], properties: withTypeMeta(node.properties ?? {}, conversion) };
}

/** Adds `apiVersion`, `kind` and `metadata` to the properties of an object. Replaces their schemas if there are any. */
export function withTypeMeta(
  properties: Readonly<Record<string, SchemaObject>>,
  conversion: Conversion,
): Readonly<Record<string, SchemaObject>> {
  return { ...typeMeta, ...properties, ...typeMeta, metadata: convertSchema(metadataField, conversion) };
}

const metadataField: Schema = {
  description: 'Metadata of the object.',
  'x-kindforge-type': 'meta/v1#/ObjectMeta',
  'x-kindforge-presence': 'always',
};
