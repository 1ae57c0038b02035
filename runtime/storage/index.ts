/** Storage: the embedded store and its backends. */
export { memoryBackend } from './backends/memory.js';
export { DamagedStoreError, type EmbeddedStore, type OpenStoreOptions, openStore } from './open-store.js';
export type { StoreStatistics } from './replica.js';
export { stampRevision } from './stamp.js';
