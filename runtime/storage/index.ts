/** Storage: the stores and their backends; published as `kindforge/storage`. */
export { lmdbBackend } from './backends/lmdb.js';
export { DamagedFileError } from './backends/lmdb-file.js';
export { memoryBackend } from './backends/memory.js';
export { DataInUseError } from './backends/owner.js';
export { Encryption, type EncryptionRule } from './encryption/encryption.js';
export { aescbc, aesgcm, identity, type NamedKey, secretbox, type Transformer } from './encryption/transformers.js';
export type { OpenEtcdStoreOptions } from './etcd/options.js';
export { UnfinishedRestoreError } from './failures.js';
export { openDriver, openEtcdStore, openPostgresStore, unstorageBackend } from './loaded-when-used.js';
export type { StoreStatistics } from './memory/replica.js';
export {
  DamagedStoreError,
  type EmbeddedStore,
  LockedStoreError,
  type OpenStoreOptions,
  openStore,
} from './open-store.js';
export type { OpenPostgresStoreOptions } from './postgres/options.js';
export type { SharedStore, SharedStoreOptions } from './shared/options.js';
export { stampRevision, toEncodedObject } from './stamp.js';
export { DamagedSnapshotError, NoSnapshotError } from './transfer/read-snapshot.js';
export { snapshotBytes } from './transfer/snapshot-bytes.js';
export type { SnapshotEnd, TransferProgress } from './transfer/snapshot-format.js';
export {
  copyState,
  REVISION_GAP,
  restoreSnapshot,
  soundSnapshot,
  soundState,
  type TransferOptions,
  type Transferred,
} from './transfer/transfer.js';
export { type State, stateOf, type Verified, verifySnapshot, verifyState } from './transfer/verify.js';
export { receiveSnapshot, writeSnapshot } from './transfer/write-snapshot.js';
export type {
  DriverOptions,
  OpenDriver,
  OwnershipTiming,
  UnstorageOptions,
  UnstorageTarget,
} from './unstorage/options.js';
