/** Reads collections of any kind with nothing of the objects but their metadata. */
import { type ClientOptions, createResourceClient } from '../create-client.js';
import type { ResourceDescriptor } from '../descriptor.js';
import type { ApiObjectLike } from '../types.js';
import type { CollectionClient } from './resource-client.js';

/**
 * A client for lists and watches of a resource whose answers have `metadata` alone: `apiVersion` and `kind` are
 * those of the form, PartialObjectMetadata, in watches. Of one namespace where one is given.
 */
export function createMetadataClient(
  { types: _types, ...resource }: ResourceDescriptor,
  options: ClientOptions,
  namespace?: string,
): Pick<CollectionClient<ApiObjectLike, unknown>, 'list' | 'watch' | 'onWrite'> {
  const untyped: ResourceDescriptor<ApiObjectLike> = resource;
  const client = createResourceClient(untyped, options);
  return (namespace === undefined ? client : client.in(namespace)).metadataOnly();
}
