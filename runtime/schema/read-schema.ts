/** Converts the raw nodes of a schema to `Schema` nodes. Resolves references and fills in the default presence. */
import type { JsonObject, JsonValue, Schema } from '../contract/index.js';
import { object, type Raw, string, written } from './read.js';
import { isNativeKey, isSchemaKey, type ReadNode, type SchemaKey, schemaReaders } from './schema-keys.js';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The presence of fields if the definition does not specify it. */
export type FieldPresence = 'explicit' | 'implicit';

export interface SchemaContext {
  readonly fieldPresence: FieldPresence;
  /** Returns the schema of a `$ref`, or nothing if the reference cannot be resolved or must not be expanded. */
  readonly resolve: (
    reference: string,
    node: JsonObject,
  ) => { readonly name: string; readonly schema: Schema } | undefined;
}

/** The context of a definition with only the keys of CustomResourceDefinitions. */
export const PLAIN: SchemaContext = { fieldPresence: 'explicit', resolve: () => undefined };

/** Reads the schema of a raw node; an empty schema if the node is not a mapping. The loader limits the recursion. */
export function readSchema(raw: Raw, context: SchemaContext): Schema {
  const node: ReadNode = (child) =>
    child === null || child === undefined ? undefined : readNode(child, context, node);
  return readNode(raw, context, node);
}

function readNode(raw: Raw, context: SchemaContext, node: ReadNode): Schema {
  const source = object(raw);
  if (source === undefined) return {};
  const schema: Mutable<Schema> = {};
  const reference = string(source.$ref);
  if (reference !== undefined) {
    const target = context.resolve(reference, source);
    if (target !== undefined) Object.assign(schema, target.schema, { 'x-kindforge-type': target.name });
    else {
      const isCut = context !== PLAIN && source['x-kubernetes-preserve-unknown-fields'] === true;
      if (isCut) schema['x-kindforge-within'] = reference;
      if (!isCut || source['x-kindforge-or'] === undefined) schema.type = 'object';
    }
  }
  for (const [key, value] of written(source)) {
    if (isSchemaKey(key) && (context !== PLAIN || !isNativeKey(key))) assign(schema, key, value, node);
  }
  // The properties of a shared type have the presence of their library.
  return context.fieldPresence === 'implicit' && reference === undefined ? withPresence(schema) : schema;
}

function assign<K extends SchemaKey>(schema: Mutable<Schema>, key: K, raw: JsonValue, node: ReadNode): void {
  const value = schemaReaders[key](raw, node);
  if (value !== undefined) schema[key] = value;
}

/** Marks the scalars, lists and maps among a node's properties that do not specify their presence. */
function withPresence(schema: Schema): Schema {
  if (schema.properties === undefined) return schema;
  const properties = Object.entries(schema.properties).map(([name, property]): [string, Schema] => [
    name,
    lacksPresence(property) ? { ...property, 'x-kindforge-presence': 'implicit' } : property,
  ]);
  return { ...schema, properties: Object.fromEntries(properties) };
}

function lacksPresence(schema: Schema): boolean {
  if (schema['x-kindforge-presence'] !== undefined) return false;
  if (schema.type === 'object') return schema.additionalProperties !== undefined;
  return schema.type !== undefined;
}
