/** Storage: the embedded store and its backends. */
export { lmdbBackend } from './backends/lmdb.js';
export { memoryBackend } from './backends/memory.js';
export { DataInUseError } from './backends/owner.js';
export { DamagedStoreError, type EmbeddedStore, type OpenStoreOptions, openStore } from './open-store.js';
export type { StoreStatistics } from './replica.js';
export { stampRevision } from './stamp.js';
export { UnfinishedRestoreError } from './unfinished.js';
