/** Controllers, and the kit to write them with; published as `kindforge/controllers`. */
export {
  type Cache,
  type Clock,
  type InformerChoice,
  Informers,
  type ObjectChange,
  type OpenInformer,
  systemClock,
} from '../client/index.js';
export { defineTokenCleaning } from './bootstrap-token-cleaning.js';
export { defineTokenSigning, type TokenSigningOptions } from './bootstrap-token-signing.js';
export type { TokenOptions } from './bootstrap-tokens.js';
export { type ApprovingOptions, defineCertificateApproving } from './certificate-approving.js';
export { defineCertificateCleaning } from './certificate-cleaning.js';
export type { RequestSpec } from './certificate-requests.js';
export { defineCertificateSigning, type SigningOptions, type SignRequest } from './certificate-signing.js';
export { defineClaimProtection } from './claim-protection.js';
export type { Controller, ControllerParts } from './controller.js';
export { defaultAccount } from './default-account.js';
export { defineDefinitionRegistration, type RegistrationNames } from './definition-registration.js';
export { defineFlowSchemaStatus } from './flow-schema-status.js';
export { garbageCollector } from './garbage-collector/index.js';
export type { CacheOf, ResourceOf } from './kit/cache.js';
export { type ControllerContext, type ControllerDefinition, defineController } from './kit/define-controller.js';
export { ignoreNotFound } from './kit/ignore-not-found.js';
export { type Lead, type LeaderElectionOptions, NotLeadingError, runAsLeader } from './kit/leader-election.js';
export { noQueueMetrics, type QueueMetrics, type UnderWay } from './kit/queue-metrics.js';
export {
  type ControllerState,
  type RunningControllers,
  type RunOptions,
  runControllers,
  type StartedController,
} from './kit/run-controllers.js';
export { type Watch, type WatchChoice, watch } from './kit/watch.js';
export { WorkQueue, type WorkQueueOptions } from './kit/work-queue.js';
export { defineLegacyTokenTracking, type TrackingPlace } from './legacy-token-tracking.js';
export { namespace } from './namespace.js';
export { definePolicyStatus, type Policy, type PolicyStatusOptions } from './policy-status.js';
export { defineQuotaController, type QuotaOptions } from './quota/index.js';
export { type ClusterRole, defineRoleAggregation, type RoleAggregationOptions } from './role-aggregation.js';
export { defineRootCertificates, type RootCertificatesOptions } from './root-certificates.js';
export { defineStorageMigration } from './storage-migration/controller.js';
export { defineTokenSecrets, type TokenSecretsOptions } from './token-secrets.js';
export { ttlAfterFinished } from './ttl-after-finished.js';
export { defineVolumeProtection } from './volume-protection.js';
export type { SimulatedNodes } from './workloads/nodes.js';
export { defineSimulatedWorkloads } from './workloads/simulated.js';
