/** Writes a CustomResourceDefinition for a kind that has none, from the schemas that the server publishes. */
import type { Session } from '../../session/session.js';
import type { Definition } from './definitions.js';
import { isRecord, type JsonRecord, textAt, valueAt } from './json.js';
import { readSource } from './schema-source.js';
import type { SchemaSource } from './schema-tree.js';

/** The greatest depth of the written schemas. Below it, they accept everything. */
const maxDepth = 40;
const anything: JsonRecord = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** Returns the definition in YAML, with the served versions. */
export async function definitionText(session: Session, definition: Definition): Promise<string> {
  const { group, plural, kind, scope, shortNames } = definition;
  const served = definition.versions.filter(({ isServed }) => isServed);
  const versions = await Promise.all(
    served.map(async (version) => {
      const source = await readSource(session, definition, version);
      const schema = { openAPIV3Schema: source ? rootSchema(source) : anything };
      return { name: version.name, served: true, storage: version.isPreferred, schema };
    }),
  );
  const { printYaml } = await import('../../schema/yaml-text.js');
  return printYaml({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope, names: { plural, kind, shortNames }, versions },
  });
}

/**
 * Returns a definition of the kind with another group, in YAML, because definitions cannot have groups of the server
 * itself. Returns `undefined` for a text that defines something else.
 */
export async function comparable(text: string, { group, plural }: Definition): Promise<string | undefined> {
  const { printYaml, readYaml } = await import('../../schema/yaml-text.js');
  const { value } = readYaml(text);
  const spec = valueAt(value, 'spec');
  if (!isRecord(value) || !isRecord(spec)) return undefined;
  if (textAt(spec, 'group') !== group || textAt(valueAt(spec, 'names'), 'plural') !== plural) return undefined;
  const standIn = `${group || 'core'}.server.example.com`;
  const metadata = { name: `${plural}.${standIn}` };
  return printYaml({ ...value, metadata, spec: { ...spec, group: standIn } });
}

function rootSchema(source: SchemaSource): unknown {
  const schema = inlined(source, source.root, [], 0);
  const properties = valueAt(schema, 'properties');
  if (!isRecord(schema) || !isRecord(properties)) return anything;
  // Definitions do not describe these three.
  const { apiVersion: _, kind: __, metadata: ___, ...own } = properties;
  const { 'x-kubernetes-group-version-kind': ____, ...rest } = schema;
  return { ...rest, properties: own };
}

/** Replaces each reference by its schema. If a schema contains itself, accepts everything there. */
export function inlined(source: SchemaSource, value: unknown, via: readonly string[], depth: number): unknown {
  if (Array.isArray(value)) return value.map((one) => inlined(source, one, via, depth + 1));
  if (!isRecord(value)) return value;
  const all = valueAt(value, 'allOf');
  const reference = textAt(Array.isArray(all) && all.length === 1 ? all[0] : value, '$ref');
  if (reference === '') {
    if (depth > 2 * maxDepth) return anything;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, inlined(source, part, via, depth + 1)]));
  }
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  if (via.includes(name)) return anything;
  const { $ref: _, allOf: __, ...own } = value;
  const target = inlined(source, valueAt(source.named, name), [...via, name], depth);
  return { ...(isRecord(target) ? target : anything), ...own };
}
