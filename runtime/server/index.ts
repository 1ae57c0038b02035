/** The door of the runtime: `createServer`, and what composing a server takes besides. */

export type { OnAuditNote } from '../access/audit-notes.js';
export { mayMatchLongerHosts, originPatternProblem } from '../access/cors.js';
export { encodeJson } from '../codec/json.js';
export type { HealthCheck } from '../discovery/health.js';
export type { OwnPath } from '../discovery/path-documents.js';
export type { ApiEventHandler } from '../http/event-handler.js';
export type { Listening, ListenOptions } from '../http/listen.js';
export type { NodeListener } from '../http/node-listener.js';
export type { DefineRoutes } from '../http/routes.js';
export type { ServerCertificate, TlsSettings } from '../http/tls/secure-server.js';
export { Metrics, metricTable, minorOf, releaseBefore, storageObserverOf } from '../metrics/index.js';
export { collectionPrefix, type EmulatedVersion } from '../pipeline/served-resource.js';
export { attributeReader } from '../registry/attribute-reader.js';
export { type Convert, type Converted, defineConverter } from '../registry/converter.js';
export type { CompileDefinition } from '../registry/definitions/known-definition.js';
export type { OnDeprecatedUse } from '../registry/deprecated-requests.js';
export { underNaming } from '../registry/module-naming.js';
export type { Registry } from '../registry/registry.js';
export { type FeatureGates, readFeatureGates } from '../registry/settings/feature-gates.js';
export { gatesOf } from '../registry/settings/named-gates.js';
export { applyRuntimeConfig, type RuntimeConfig, readRuntimeConfig } from '../registry/settings/runtime-config.js';
export type { ApiRequest, ApiResponse, StreamSink } from '../verbs/api-request.js';
export { askedBy, type SeenRequest } from './asked-by.js';
export { createServer } from './create-server.js';
export type { OnRequest, RequestRecord } from './record-requests.js';
export type { ApiServer, ServerOptions } from './server-options.js';
export { snapshotPath } from './snapshot.js';
