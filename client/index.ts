/** The SDK: a typed client for any Kindforge or Kubernetes-style server. Runs in browsers and in Node. */
export type { TokenSource } from './connection/bearer.js';
export type { Impersonation } from './connection/impersonate.js';
export { type OpenTelemetryApi, openTelemetry } from './connection/open-telemetry.js';
export type { RequestSpan, RequestTracer, TracedRequest } from './connection/tracing.js';
export {
  type ClientConnection,
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
export type {
  AppliedManifest,
  ApplyAllOptions,
  DeleteAllOptions,
  DeletedManifest,
  Manifests,
} from './dynamic/apply-all.js';
export {
  type DynamicApi,
  type DynamicClientOptions,
  type DynamicResource,
  dynamicClient,
  SchemaError,
} from './dynamic/dynamic-client.js';
export { ManifestError, readManifests } from './dynamic/manifests.js';
export type { SchemaFinding } from './dynamic/schema/check-object.js';
export type { TableEvent, TablePlace } from './dynamic/table.js';
export * from './dynamic/types.js';
export * from './errors.js';
export { extract } from './extract.js';
export { guardWrites } from './guarded-client.js';
export { type Change, type FollowOptions, follow, keyOf } from './informer.js';
export { parseJson, stringifyJson } from './json.js';
export { createMetadataClient } from './metadata-client.js';
export type * from './options.js';
export type * from './resource-client.js';
export type { RetryOptions } from './retry.js';
export * from './transport.js';
export type * from './types.js';
export { type WebSocketTransportOptions, webSocketTransport } from './web-socket.js';
