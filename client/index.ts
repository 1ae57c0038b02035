/** The SDK: a typed client for any Kindforge or Kubernetes-style server. Runs in browsers and in Node. */

export { extract } from './apply/extract.js';
export { type Change, type FollowOptions, follow, keyOf } from './cache/follow.js';
export {
  type ClientOf,
  type ClientOfResource,
  type ClientOptions,
  createClientFrom,
  createResourceClient,
  type ResourceTree,
} from './create-client.js';
export { defineResource, type ResourceDescriptor, type ResourceVerb } from './descriptor.js';
export {
  type DiscoveredResource,
  type Discovery,
  discover,
  discoverResources,
  discoverVersions,
} from './discovery.js';
export * from './errors.js';
export { guardWrites } from './guarded-client.js';
export { parseJson, stringifyJson } from './json.js';
export { createMetadataClient } from './resource/metadata-client.js';
export type * from './resource/options.js';
export type * from './resource/resource-client.js';
export type { RetryOptions } from './retry.js';
export * from './transport.js';
export type * from './types.js';
export { type WebSocketTransportOptions, webSocketTransport } from './web-socket.js';
