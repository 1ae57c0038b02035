/** Reads collections of any kind with nothing of the objects but their metadata. */
import { type ClientOptions, createResourceClient, transportOf } from './create-client.js';
import type { ResourceDescriptor } from './descriptor.js';
import type { CollectionClient } from './resource-client.js';
import type { Transport } from './transport.js';
import type { ApiObjectLike } from './types.js';

/**
 * A client for lists and watches of a resource whose answers have `metadata` alone: `apiVersion` and `kind` are
 * those of the form, PartialObjectMetadata, in watches. Of one namespace where one is given.
 */
export function createMetadataClient(
  resource: ResourceDescriptor,
  options: ClientOptions,
  namespace?: string,
): Pick<CollectionClient<ApiObjectLike, unknown>, 'list' | 'watch'> {
  const { group, version, plural, kind, scope, subresources, kubernetesGroup } = resource;
  const named = kubernetesGroup === undefined ? {} : { kubernetesGroup };
  const untyped: ResourceDescriptor<ApiObjectLike> = { group, version, plural, kind, scope, subresources, ...named };
  const client = createResourceClient(untyped, { ...options, transport: metadataTransport(transportOf(options)) });
  return namespace === undefined ? client : client.in(namespace);
}

/** Asks for the form by both names that its group may be served under; the server passes over the one that it lacks. */
const formOf = (kind: string): string =>
  ['meta.k8s.io', 'meta.platform.io'].map((group) => `application/json;as=${kind};g=${group};v=v1`).join(',');

const accepts = { list: formOf('PartialObjectMetadataList'), watch: formOf('PartialObjectMetadata') };

const metadataTransport = (transport: Transport): Transport => ({
  send: (request) => {
    const shape = new URLSearchParams(request.path.split('?')[1]).get('watch') === 'true' ? 'watch' : 'list';
    return transport.send({ ...request, headers: { ...request.headers, accept: accepts[shape] } });
  },
});
