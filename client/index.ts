/** The SDK: a typed client for any Kindforge or Kubernetes-style server. Runs in browsers and in Node. */

export type { Cache, CacheSelection, ObjectCache } from './cache/cache.js';
export { type Change, keyOf, type ObjectChange } from './cache/collection-events.js';
export { type FollowOptions, follow } from './cache/follow.js';
export { followAll, type NamedChange } from './cache/follow-all.js';
export type { Informer } from './cache/informer.js';
export { type InformerChoice, Informers, type OpenInformer } from './cache/informers.js';
export type { LabelMatch } from './cache/label-selector.js';
export type { Listed, ListWatchOptions } from './cache/list-watch.js';
export type { ValuesOf } from './cache/object-index.js';
export { type Observable, observe } from './cache/observe.js';
export {
  type LiveObjects,
  type ObjectSelection,
  type ObservedClient,
  observeObjects,
} from './cache/observe-objects.js';
export { type CachedClient, type CacheOptions, type OpenCache, openCache } from './cache/open-cache.js';
export { type Clock, sleep, systemClock } from './clock.js';
export {
  type Condition,
  conditionOf,
  hasCondition,
  type NewCondition,
  setCondition,
  type WantedCondition,
} from './conditions.js';
export { ApplyConflictError, type FieldConflict, isApplyConflict } from './conflicts.js';
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
  guardWrites,
  openTransport,
  type ResourceTree,
} from './create-client.js';
export { defineResource, type FollowedField, type ResourceDescriptor, type ResourceVerb } from './descriptor.js';
export {
  type DiscoveredResource,
  type Discovery,
  discover,
  discoverResources,
  discoverVersions,
} from './discovery.js';
export {
  type AppliedManifest,
  type ApplyAllOptions,
  type DeleteAllOptions,
  type DeletedManifest,
  inApplyOrder,
  type Manifests,
} from './dynamic/apply-all.js';
export type { SchemaFinding } from './dynamic/check-object.js';
export {
  type DynamicApi,
  type DynamicClientOptions,
  type DynamicResource,
  dynamicClient,
  SchemaError,
} from './dynamic/dynamic-client.js';
export { ManifestError, readManifests } from './dynamic/manifests.js';
export type { OpenApiSchema } from './dynamic/open-api-schema.js';
export type { KindSchema } from './dynamic/schema-documents.js';
export type { TableEvent, TablePlace } from './dynamic/table.js';
export * from './dynamic/types.js';
export * from './errors.js';
export { type EventRecorderOptions, eventRecorder, type NewEvent, type RecordEvent } from './event-recorder.js';
export { extract } from './extract.js';
export { ensureFinalizer, type FinalizerWriter, removeFinalizer } from './finalizers.js';
export { inProcessTransport } from './in-process.js';
export { parseJson, stringifyJson } from './json.js';
export { createOrUpdate, type ModifyOptions, modify, type Outcome, type ToWanted } from './modify.js';
export { controlledBy, controllerOf, isControlledBy, OwnerError, setOwner } from './owners.js';
export { patchStatus, type StatusChange, type StatusWriter } from './patch-status.js';
export type { Placeable } from './requests.js';
export type { FollowingClient } from './resource/follow-names.js';
export { createMetadataClient } from './resource/metadata-client.js';
export type * from './resource/new-object.js';
export type * from './resource/options.js';
export type * from './resource/patch-types.js';
export type * from './resource/resource-client.js';
export type * from './resource/subresource-client.js';
export type * from './resource/subresource-types.js';
export { type NamedEvent, type NamedWatchEvent, watchAll } from './resource/watch-all.js';
export { type Write, type WriteObserver, WriteObservers } from './resource/writes.js';
export type { RetryOptions } from './retry.js';
export { type ConflictOptions, retryOnConflict } from './retry-on-conflict.js';
export * from './transport.js';
export type * from './types.js';
export { deleted, ready, until, type WaitOptions, WaitTimeoutError } from './until.js';
export { type WebSocketTransportOptions, webSocketTransport } from './web-socket.js';
