/** The entry point of the runtime: `createServer`, and the parts that callers need to compose a server. */

export type { OnAuditNote } from '../access/audit-event.js';
export { mayMatchLongerHosts, originPatternProblem } from '../access/pages.js';
export { decodeJson, encodeJson } from '../codec/json.js';
export { type OwnPath, plainText } from '../discovery/documents.js';
export type { HealthCheck, HealthOf } from '../discovery/health.js';
export type { RemoteApis, RemoteVersion } from '../discovery/remote-apis.js';
export type { ExtendApp } from '../http/app.js';
export { defineForwarder } from '../http/forward.js';
export type { TimeLimits } from '../http/limits.js';
export type { Handed, Listening, ListenOptions } from '../http/listen.js';
export type { NodeListener } from '../http/node-listener.js';
export { clientCertificateOf } from '../http/node-messages.js';
export type { ServerCertificate, TlsSettings } from '../http/secure-server.js';
export { applicationPages } from '../http/static-pages.js';
export {
  allMetrics,
  authenticationObserverOf,
  authorizationObserverOf,
  encryptionObserverOf,
  Metrics,
  type MetricValues,
  metricsTogether,
  metricTable,
  minorOf,
  releaseBefore,
  storageObserverOf,
  tokenCounterOf,
} from '../metrics/index.js';
export { attributeReader, type RememberingReader, type Strangers } from '../registry/attribute-reader.js';
export { type Convert, type Converted, defineConverter } from '../registry/converter.js';
export type { CompileDefinition } from '../registry/definitions/known-definition.js';
export {
  enabledByDefault,
  type FeatureGates,
  gatesOf,
  isFeatureGate,
  readFeatureGates,
} from '../registry/feature-gates.js';
export type { Gate } from '../registry/gate-states.js';
export { gatesIn, machineryGates } from '../registry/known-gates.js';
export { underNaming } from '../registry/module-naming.js';
export { isLater, modulesInRelease } from '../registry/modules-in-release.js';
export type { Registry } from '../registry/registry.js';
export type { OnDeprecatedUse } from '../registry/route.js';
export { applyRuntimeConfig, type RuntimeConfig, readRuntimeConfig } from '../registry/runtime-config.js';
export { isRemoved, servedByDefault } from '../registry/served-versions.js';
export {
  findLosses,
  isProjectStepBack,
  isStepBack,
  markWrittenBy,
  type WrittenBy,
  writtenBy,
} from '../registry/step-back.js';
export type { ApiRequest, ApiResponse, Handle, StreamSink } from '../request/api-request.js';
export { answerFailure, warningHeaders } from '../request/responses.js';
export type { Forwarder, ForwardPeer } from '../request/verb-request.js';
export { collectionPrefix } from '../resource/served-resource.js';
export { defineFieldChanges, type FieldChange } from '../schema/field-changes.js';
export { isOpenApiV2, versionOfOpenApiV2 } from '../schema/openapi/index.js';
export { askedBy, type SeenRequest } from './admission.js';
export { createServer } from './create-server.js';
export { type AskedThing, askedThing, type Door } from './door.js';
export { Followers } from './followers.js';
export type { RequestLimits } from './limit-requests.js';
export type { OnRequest, RequestRecord } from './record-requests.js';
export { findRefused, type RefusedObjects } from './refused-objects.js';
export {
  danglingReferences,
  deletingReferences,
  findRelationOffenders,
  type RelationOffenders,
  relatedKinds,
} from './relations.js';
export type { ApiServer, ServerDoors, ServerOptions } from './server-options.js';
export { snapshotPath } from './snapshot.js';
