/** Turns a resource version of the model into the fields of a resource module. */
import type { ResourceModule } from '../../runtime/contract/index.js';
import type { ResourceModel, VersionModel } from './model.js';

/** A resource module without what is compiled from its schema. */
export type ResourceDescription = Omit<ResourceModule, 'schema' | 'functions' | 'conversion'>;

/** Describes a version; the generator prints this, and modules made at run time are this. */
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
  deleteReturns: resource.deleteReturns,
  createOnUpdate: resource.createOnUpdate,
  unconditionalUpdate: resource.unconditionalUpdate,
  ...(resource.untracked === undefined ? {} : { untracked: resource.untracked }),
  source: resource.source.path,
});
