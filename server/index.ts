/** One call that starts a complete server, and the parts to assemble your own. Published as `kindforge/server`. */
export * from '../controllers/index.js';
export type { Controller } from '../controllers/kit/index.js';
export { registry } from '../generated/registry.js';
export * from '../plugins/index.js';
export * from '../runtime/server/index.js';
export * from '../strategies/index.js';
export type { SimulatedNodes } from '../testing/workloads/nodes.js';
export { defineSimulatedWorkloads } from '../testing/workloads/simulated.js';
export type {
  AuthenticationOptions,
  AuthorizationMode,
  AuthorizationOptions,
  OidcOption,
  RequestHeaderOption,
  ServiceAccountOptions,
  TokenWebhookOption,
} from './access-options.js';
export { builtinKinds } from './builtin-kinds.js';
export type { DefineKinds, KindSettings, Kinds } from './kinds.js';
export { BreakingChangesError, DefinitionsError } from './load-definitions.js';
export { type NameOf, OptionError, type OptionName } from './option-error.js';
export type {
  AdmissionOptions,
  CredentialsOption,
  HttpOption,
  ListeningOptions,
  OnProblem,
  StartOptions,
  Switches,
} from './options.js';
export type { AuditLogOption, AuditStartOptions, AuditWebhookOption } from './parts/audit-options.js';
export {
  DamagedFileError,
  DamagedStoreError,
  DataInUseError,
  LockedStoreError,
  StepBackError,
  UnfinishedRestoreError,
  UnknownVersionError,
} from './parts/errors.js';
export type { EncryptionOption } from './parts/open-encryption.js';
export type { SigningOption } from './parts/signing-option.js';
export type {
  DamageOption,
  DriverOption,
  EtcdOption,
  HistoryOption,
  PostgresOption,
  StorageOption,
  UnstorageOption,
} from './parts/storage-options.js';
export type { ListeningServer, RunningServer } from './running-server.js';
export { startServer } from './start-server.js';
export type { CredentialFiles } from './transport/credentials-folder.js';
export type { CertificateFiles, NamedCertificateFiles, TlsOption, TlsVersion } from './transport/tls-option.js';
