/** Turns a resource version of the model into the fields of a resource module. */
import type { ResourceModule, Schema } from '../../runtime/contract/index.js';
import type { ResourceModel, VersionModel } from './model.js';

/** A resource module without its code. */
export type ResourceDescription = Omit<ResourceModule, 'code'>;

/** Describes a version. The generator prints the result; modules made at run time have it. */
export const describeResource = (resource: ResourceModel, version: VersionModel): ResourceDescription => ({
  group: resource.group,
  version: version.name,
  names: resource.names,
  scope: resource.scope,
  verbs: resource.verbs,
  subresources: version.subresources,
  decoding: resource.decoding,
  columns: version.columns,
  selectableFields: version.selectableFields,
  ...(version.laterFields === undefined ? {} : { laterFields: version.laterFields }),
  nameRule: resource.nameRule,
  generation: resource.generation,
  storage: version.storage,
  ...(resource.virtual === undefined ? {} : { virtual: resource.virtual }),
  ...(resource.withoutMetadata === undefined ? {} : { withoutMetadata: resource.withoutMetadata }),
  served: version.served,
  ...(resource.storedAs === undefined ? {} : { storedAs: resource.storedAs }),
  ...(version.conversion?.function === undefined ? {} : { conversionName: version.conversion.function }),
  ...(resource.conversionWebhook === undefined ? {} : { conversionWebhook: resource.conversionWebhook }),
  ...(version.deprecation === undefined ? {} : { deprecation: version.deprecation }),
  ...(version.stability === undefined ? {} : { stability: version.stability }),
  ...(resource.featureGate === undefined ? {} : { featureGate: resource.featureGate }),
  ...(resource.machinery === undefined ? {} : { machinery: resource.machinery }),
  ...fieldGatesOf(version.schema),
  deleteReturns: resource.deleteReturns,
  createOnUpdate: resource.createOnUpdate,
  unconditionalUpdate: resource.unconditionalUpdate,
  ...(resource.untracked === undefined ? {} : { untracked: resource.untracked }),
  ...(resource.references === undefined ? {} : { references: resource.references }),
  ...(resource.unique === undefined ? {} : { unique: resource.unique }),
  ...(resource.access === undefined ? {} : { access: resource.access }),
  source: resource.source.path,
});

function fieldGatesOf(schema: Schema): Pick<ResourceModule, 'fieldGates'> {
  const gates = new Set<string>();
  collectGates(schema, gates, new Set());
  return gates.size === 0 ? {} : { fieldGates: [...gates].sort() };
}

/** Collects gates of properties. Branches of combinations have none, and are skipped. */
function collectGates(schema: Schema, gates: Set<string>, seen: Set<Schema>): void {
  if (seen.has(schema)) return;
  seen.add(schema);
  const gate = schema['x-kindforge-feature-gate'];
  if (gate !== undefined) gates.add(gate);
  for (const child of Object.values(schema.properties ?? {})) collectGates(child, gates, seen);
  const { additionalProperties, items } = schema;
  if (typeof additionalProperties === 'object') collectGates(additionalProperties, gates, seen);
  if (items !== undefined) collectGates(items, gates, seen);
}
