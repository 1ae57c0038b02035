/** Definitions with one version around the schema of `spec`, for tests of the gate. */
import type { DiffedVersion } from '../../../generator/diff/difference.js';
import { readCustomResource } from '../../../generator/model/custom-resource.js';
import type { JsonObject, Schema } from '../../../runtime/contract/index.js';
import { clone } from '../../../runtime/objects/clone.js';
import { customResource } from '../kinds.js';

/** Returns the kind of a plural: the same word with a capital letter. */
export const kindOf = (plural: string): string => plural.charAt(0).toUpperCase() + plural.slice(1);

/** Makes the schema of an object. */
export const object = (properties: Record<string, Schema>, more: Partial<Schema> = {}): Schema => ({
  type: 'object',
  properties,
  ...more,
});

/** Makes a cluster-wide CustomResourceDefinition with `v1` as its only version. */
export function definitionOf(
  plural: string,
  spec: Schema,
  more: { metadata?: JsonObject; status?: Schema } = {},
): JsonObject {
  const { status, metadata = {} } = more;
  const properties = { spec, ...(status === undefined ? {} : { status }) };
  const schema: JsonObject = JSON.parse(JSON.stringify({ openAPIV3Schema: { type: 'object', properties } }));
  const subresources = status === undefined ? {} : { subresources: { status: {} } };
  const defined = customResource({
    kind: kindOf(plural),
    plural,
    scope: 'Cluster',
    names: { singular: plural, listKind: `${kindOf(plural)}List` },
    versions: [{ name: 'v1', served: true, storage: true, schema, ...subresources }],
  });
  return { ...defined, metadata: { name: `${plural}.example.com`, ...clone(metadata) } };
}

/** Makes the version of such a definition. */
export function versionOf(plural: string, spec: Schema, status?: Schema): DiffedVersion {
  const more = status === undefined ? {} : { status };
  const resource = readCustomResource(definitionOf(plural, spec, more), { path: 'definition.yaml', hash: '' });
  const [version] = resource.versions;
  if (version === undefined) throw new Error('a definition has one version');
  return { resource, version };
}
