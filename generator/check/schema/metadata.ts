/** Rules on apiVersion, kind and metadata, whose shape belongs to the server. */
import type { Schema } from '../../../runtime/contract/index.js';
import type { Report } from '../../diagnostics/problem.js';
import { isObject } from '../../model/read.js';
import { complain, type SchemaNode, written } from './schema-node.js';
import { isObjectRoot, isWithinObjectFields } from './types.js';

const TYPES = { apiVersion: 'string', kind: 'string', metadata: 'object' } as const;
/** What a schema may restrict of an object's own metadata. */
const RESTRICTABLE = new Set(['name', 'generateName']);
/** What the schema of `metadata` may say besides. */
const ALLOWED = new Set(['type', 'description', 'title', 'properties', 'x-kubernetes-validations']);

/** At the root and in embedded resources, the three have their types; at the root, metadata has its fields, too. */
export function checkObjectFields(node: SchemaNode, report: Report): void {
  const { schema, level } = node;
  if (!isObjectRoot(node)) return;
  for (const [name, type] of Object.entries(TYPES)) {
    const property = schema.properties?.[name];
    if (property === undefined || property.type === undefined || property.type === type) continue;
    complain(
      report,
      'KF3010',
      node,
      ['properties', name, 'type'],
      `\`${name}\` is always of type ${type}, not ${property.type}`,
    );
  }
  if (level !== 'root') return;
  for (const name of ['apiVersion', 'kind']) {
    if (schema.properties?.[name]?.default === undefined) continue;
    complain(report, 'KF3010', node, ['properties', name, 'default'], `\`${name}\` cannot have a default`);
  }
  const metadata = schema.properties?.metadata;
  if (metadata !== undefined) checkMetadata(node, metadata, report);
}

/** Values of maps in metadata, such as labels, come from clients only. */
export function checkMetadataDefaults(node: SchemaNode, report: Report): void {
  if (node.level !== 'value' || node.schema.default === undefined || !isWithinObjectFields(node)) return;
  complain(report, 'KF3010', node, 'default', 'values of maps in metadata cannot have a default');
}

function checkMetadata(node: SchemaNode, metadata: Schema, report: Report): void {
  const properties = written(node, 'properties');
  const raw = isObject(properties) && isObject(properties.metadata) ? properties.metadata : {};
  const message = 'of metadata only `name` and `generateName` can be restricted';
  for (const key of Object.keys(metadata)) {
    if (!ALLOWED.has(key) && Object.hasOwn(raw, key))
      complain(report, 'KF3010', node, ['properties', 'metadata', key], message);
  }
  for (const [name, property] of Object.entries(metadata.properties ?? {})) {
    const at = ['properties', 'metadata', 'properties', name];
    if (!RESTRICTABLE.has(name)) complain(report, 'KF3010', node, at, message);
    else if (property.default !== undefined)
      complain(report, 'KF3010', node, [...at, 'default'], 'names cannot have a default');
  }
}
