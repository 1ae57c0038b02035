/**
 * Numbers of the messages of aggregated discovery. Facts of the wire format of release 1.27, the same for every
 * server.
 */
import type { ProtobufMessages } from '../../contract/index.js';

/** Messages by id. */
export const discoveryMessages: ProtobufMessages = {
  'apidiscovery/v2beta1#/APIGroupDiscoveryList': {
    metadata: [1, 'meta/v1#/ListMeta', 'always'],
    items: [2, 'repeated apidiscovery/v2beta1#/APIGroupDiscovery'],
  },
  'apidiscovery/v2beta1#/APIGroupDiscovery': {
    metadata: [1, 'meta/v1#/ObjectMeta', 'always'],
    versions: [2, 'repeated apidiscovery/v2beta1#/APIVersionDiscovery'],
  },
  'apidiscovery/v2beta1#/APIVersionDiscovery': {
    version: [1, 'string', 'always'],
    resources: [2, 'repeated apidiscovery/v2beta1#/APIResourceDiscovery'],
    freshness: [3, 'string', 'always'],
  },
  'apidiscovery/v2beta1#/APIResourceDiscovery': {
    resource: [1, 'string', 'always'],
    responseKind: [2, 'meta/v1#/GroupVersionKind'],
    scope: [3, 'string', 'always'],
    singularResource: [4, 'string', 'always'],
    verbs: [5, 'repeated string'],
    shortNames: [6, 'repeated string'],
    categories: [7, 'repeated string'],
    subresources: [8, 'repeated apidiscovery/v2beta1#/APISubresourceDiscovery'],
  },
  'apidiscovery/v2beta1#/APISubresourceDiscovery': {
    subresource: [1, 'string', 'always'],
    responseKind: [2, 'meta/v1#/GroupVersionKind'],
    acceptedTypes: [3, 'repeated meta/v1#/GroupVersionKind'],
    verbs: [4, 'repeated string'],
  },
  'meta/v1#/GroupVersionKind': {
    group: [1, 'string', 'always'],
    version: [2, 'string', 'always'],
    kind: [3, 'string', 'always'],
  },
};
