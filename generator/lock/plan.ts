/** Plans the messages of a resource, and the type of each field. The lock gives the numbers later. */
import type { Schema } from '../../runtime/contract/index.js';

export interface PlannedMessage {
  /** A shared type's name, or the path of an inline type: `storage.platform.io/v1#/CSIDriver.spec`. */
  readonly id: string;
  readonly description?: string;
  /** Whether it is part of a custom resource, which may hold values that fields cannot have (nulls, empty lists). */
  readonly structural: boolean;
  readonly fields: readonly PlannedField[];
}

export interface PlannedField {
  /** As in JSON; empty for the whole value. */
  readonly name: string;
  /** As in `ProtobufField`. */
  readonly type: string;
  /** Present if the zero is written for an absent field: the reference has a value there, not a pointer. */
  readonly always?: true;
  readonly description?: string;
}

/** The input of a plan. */
export interface Source {
  /** Group (`core` for the core group) and version, as in `storage.platform.io/v1`. */
  readonly library: string;
  readonly kind: string;
  readonly decoding: 'typed' | 'structural';
  /** Present if its objects have no metadata. */
  readonly withoutMetadata?: true;
  readonly schema: Schema;
  /** Shared types by `<library>#/<Name>`, for the descriptions of their messages. */
  readonly types: ReadonlyMap<string, Schema>;
}

/** Types with their own encoding. Their messages are fixed, not planned. */
const special: ReadonlySet<string> = new Set(
  [
    'Time',
    'MicroTime',
    'Duration',
    'Quantity',
    'IntOrString',
    'RawExtension',
    'FieldsV1',
    'ObjectMeta',
    'DeleteOptions',
    'Status',
  ].map((name) => `meta/v1#/${name}`),
);

/** The type of values of any shape in schemas. */
const anyJson = 'apiextensions/v1#/JSON';

/** Messages of values with a second form: one field for the object, and one for the other form. */
const alternatives = {
  schemas: (type: string) => [schemaField(type), { name: 'jSONSchemas', type: `repeated ${type}` }],
  boolean: (type: string) => [{ name: 'allows', type: 'bool', always: true as const }, schemaField(type)],
  texts: (type: string) => [schemaField(type), { name: 'property', type: 'repeated string' }],
};

const maxDepth = 200;

/** Plans the messages of a kind, its own first. Fields of the envelope (`apiVersion`, `kind`) are left out. */
export function planMessages(source: Source): readonly PlannedMessage[] {
  const planned = new Map<string, PlannedMessage>();
  const { decoding, schema } = source;
  const structural = decoding === 'structural';

  const planMessage = (id: string, node: Schema, depth: number): string => {
    if (planned.has(id)) return id;
    const entry = { id, structural, ...(node.description === undefined ? {} : { description: node.description }) };
    planned.set(id, { ...entry, fields: [] });
    const fields = ownProperties(node).map(([name, child]) => planField(id, name, child, depth));
    planned.set(id, { ...entry, fields });
    return id;
  };

  const planField = (parent: string, name: string, node: Schema, depth: number): PlannedField => {
    const type = typeOf(node, `${parent}.${escapeName(name)}`, depth + 1);
    const always = !structural && hasZero(node, type) ? { always: true as const } : {};
    return { name, type, ...always, ...(node.description === undefined ? {} : { description: node.description }) };
  };

  /** Returns the type of a value. `place` is the id of its message if it has no name. */
  const typeOf = (node: Schema, place: string, depth: number): string => {
    const name = node['x-kindforge-type'];
    if (name !== undefined && special.has(name)) return name;
    if (name === anyJson) return planAnyJson();
    const within = node['x-kindforge-within'];
    if (within !== undefined) return planAgain(within, node);
    if (depth > maxDepth || isOpaque(node)) return 'json';
    if (node['x-kubernetes-int-or-string'] === true) return 'meta/v1#/IntOrString';
    if (node.type === 'array') return `repeated ${itemType(node.items ?? {}, place, depth)}`;
    if (typeof node.additionalProperties === 'object')
      return `map ${itemType(node.additionalProperties, place, depth)}`;
    if (node.type !== 'object') return scalarOf(node, structural);
    const id = name ?? place;
    return planMessage(id, source.types.get(id) ?? node, depth);
  };

  /** Plans a value of any shape that is a type of its own: its text in a message. */
  const planAnyJson = (): string => {
    planned.set(anyJson, { id: anyJson, structural, fields: [{ name: 'raw', type: 'bytes' }] });
    return anyJson;
  };

  /** Plans a value inside a value of the same type: the same message, or another one for a value with a second form. */
  const planAgain = (within: string, node: Schema): string => {
    const { 'x-kindforge-type': id, 'x-kindforge-or': or } = node;
    if (or === undefined || id === undefined) return within;
    planned.set(id, { id, structural, fields: alternatives[or](within) });
    return id;
  };

  /** Returns the type of an item. Lists and maps cannot hold lists and maps, so these become messages of one field. */
  const itemType = (node: Schema, place: string, depth: number): string => {
    const name = node['x-kindforge-type'];
    const isContainer = node.type === 'array' || typeof node.additionalProperties === 'object';
    if (!isContainer || isOpaque(node)) return typeOf(node, place, depth + 1);
    const id = name ?? `${place}[]`;
    if (!planned.has(id)) {
      planned.set(id, { id, structural, fields: [] });
      planned.set(id, { id, structural, fields: [{ name: '', type: typeOf(node, id, depth + 1) }] });
    }
    return id;
  };

  const { apiVersion: _apiVersion, kind: _kind, metadata: _metadata, ...properties } = schema.properties ?? {};
  const metadata: Schema = {
    'x-kindforge-type': 'meta/v1#/ObjectMeta',
    'x-kindforge-presence': 'always',
    description: 'Metadata of the object.',
  };
  const envelope = source.withoutMetadata ? properties : { metadata, ...properties };
  planMessage(`${source.library}#/${source.kind}`, { ...schema, properties: envelope }, 0);
  return [...planned.values()];
}

const schemaField = (type: string): PlannedField => ({ name: 'schema', type });

/**
 * Returns the properties that get fields. An object within an object is sent without its kind, because its place
 * implies the kind.
 */
function ownProperties({ properties = {} }: Schema): readonly (readonly [string, Schema])[] {
  const entries = Object.entries(properties);
  const isWhole = 'apiVersion' in properties && 'kind' in properties && isObjectMeta(properties.metadata);
  return isWhole ? entries.filter(([name]) => name !== 'apiVersion' && name !== 'kind') : entries;
}

const isObjectMeta = (node: Schema | undefined): boolean => node?.['x-kindforge-type'] === 'meta/v1#/ObjectMeta';

/**
 * Returns whether a value is written for an absent field. An absent scalar is the same as its zero. An absent message
 * differs from an empty one, so an empty one is only written if the field is always present.
 */
function hasZero(node: Schema, type: string): boolean {
  if (/^(?:repeated |map |bytes$|json$)/.test(type)) return false;
  const presence = node['x-kindforge-presence'];
  // A server of an earlier release must not write the zero of a field that it does not have.
  const isLater = node['x-kindforge-introduced'] !== undefined;
  return presence === 'always' || (presence === 'implicit' && !type.includes('#') && !isLater);
}

/** Returns whether a value has any shape, or carries its own kind. */
function isOpaque(node: Schema): boolean {
  if (node['x-kubernetes-embedded-resource'] === true || node.additionalProperties === true) return true;
  const open = node['x-kubernetes-preserve-unknown-fields'] === true;
  if (open && node.properties === undefined) return true;
  return node.type === undefined && node['x-kubernetes-int-or-string'] !== true && node.properties === undefined;
}

/**
 * Returns the type of a scalar. Custom resources keep strings and integers as they were written, so their formats do
 * not narrow them.
 */
function scalarOf({ type, format }: Schema, structural: boolean): string {
  if (type === 'boolean') return 'bool';
  if (type === 'number') return 'double';
  if (type === 'integer') return format === 'int32' && !structural ? 'int32' : 'int64';
  if (structural) return 'string';
  if (format === 'byte') return 'bytes';
  return format === 'date-time' ? 'meta/v1#/Time' : 'string';
}

/** Escapes dots, which separate the names in an id, as a JSON pointer escapes slashes. */
function escapeName(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('.', '~1');
}
