/** Rules on apiVersion, kind and metadata, whose shape belongs to the server. */
import type { Schema } from '../../../runtime/contract/index.js';
import { isObject } from '../../model/read.js';
import { type Say, type SchemaNode, written } from './schema-node.js';
import { isWithinObjectFields } from './types.js';

/** The fields of an object's own metadata that a schema may restrict. */
const RESTRICTABLE = new Set(['name', 'generateName']);
/** The keywords that the schema of `metadata` may have. */
const ALLOWED = new Set(['type', 'description', 'title', 'properties', 'x-kubernetes-validations']);

/** At the root, apiVersion and kind have no default, and of metadata only the names can be restricted. */
export function checkObjectFields(node: SchemaNode, say: Say): void {
  const { schema, level } = node;
  if (level !== 'root') return;
  for (const name of ['apiVersion', 'kind']) {
    if (schema.properties?.[name]?.default === undefined) continue;
    say('KF3010', ['properties', name, 'default'], `\`${name}\` cannot have a default`);
  }
  const metadata = schema.properties?.metadata;
  if (metadata !== undefined) checkMetadata(node, metadata, say);
}

/** Values of maps in metadata, such as labels, come from clients only. */
export function checkMetadataDefaults(node: SchemaNode, say: Say): void {
  if (node.level !== 'value' || node.schema.default === undefined || !isWithinObjectFields(node)) return;
  say('KF3010', 'default', 'values of maps in metadata cannot have a default');
}

function checkMetadata(node: SchemaNode, metadata: Schema, say: Say): void {
  const properties = written(node, 'properties');
  const raw = isObject(properties) && isObject(properties.metadata) ? properties.metadata : {};
  const message = 'of metadata only `name` and `generateName` can be restricted';
  for (const key of Object.keys(metadata)) {
    if (!ALLOWED.has(key) && Object.hasOwn(raw, key)) say('KF3010', ['properties', 'metadata', key], message);
  }
  for (const [name, property] of Object.entries(metadata.properties ?? {})) {
    const at = ['properties', 'metadata', 'properties', name];
    if (!RESTRICTABLE.has(name)) say('KF3010', at, message);
    else if (property.default !== undefined) say('KF3010', [...at, 'default'], 'names cannot have a default');
  }
}
