/** Plans the messages of a whole model, the messages of each resource only once. */
import type { Schema } from '../../runtime/contract/index.js';
import type { Model, ResourceModel, VersionModel } from '../model/model.js';
import { type PlannedMessage, planMessages } from './plan.js';

/** One version of a resource with its messages. */
export interface PlannedVersion {
  readonly resource: ResourceModel;
  readonly version: VersionModel;
  /** The library of its own messages: group (`core` for the core group) and version. */
  readonly library: string;
  /** The kind's own first. */
  readonly messages: readonly PlannedMessage[];
}

const known = new WeakMap<ResourceModel, readonly PlannedVersion[]>();

/** Plans the messages of all resources, in the order of the model. The same resource always yields the same objects. */
export function planModel(model: Model): readonly PlannedVersion[] {
  const types = typeSchemas(model);
  return model.resources.flatMap((resource) => planVersions(resource, types));
}

/** Returns the schemas of shared types by name. */
export function typeSchemas({ types }: Pick<Model, 'types'>): ReadonlyMap<string, Schema> {
  return new Map([...types].map(([name, { schema }]) => [name, schema]));
}

/**
 * Plans the messages of one resource, in the order of its versions. `types` are the schemas of shared types by name.
 */
export function planVersions(resource: ResourceModel, types: ReadonlyMap<string, Schema>): readonly PlannedVersion[] {
  const planned = known.get(resource) ?? resource.versions.map((version) => planVersion(resource, version, types));
  known.set(resource, planned);
  return planned;
}

function planVersion(
  resource: ResourceModel,
  version: VersionModel,
  types: ReadonlyMap<string, Schema>,
): PlannedVersion {
  const library = `${resource.group === '' ? 'core' : resource.group}/${version.name}`;
  const { decoding, names, withoutMetadata } = resource;
  const messages = planMessages({
    library,
    kind: names.kind,
    decoding,
    ...(withoutMetadata ? { withoutMetadata } : {}),
    schema: version.schema,
    types,
  });
  return { resource, version, library, messages };
}
