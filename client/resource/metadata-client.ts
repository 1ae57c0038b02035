/** Reads only the metadata of collections of any kind. */
import { type ClientOptions, createResourceClient } from '../create-client.js';
import type { ResourceDescriptor } from '../descriptor.js';
import type { ApiObjectLike } from '../types.js';
import type { CollectionClient } from './resource-client.js';

/**
 * Makes a client for lists and watches with only `metadata` in the objects. In watches, `apiVersion` and `kind` are of
 * the form, PartialObjectMetadata. With `namespace`, it reads that namespace only.
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
