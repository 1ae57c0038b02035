/** Errors of stores that say what to do about stored data. */
export { DamagedStoreError, DataInUseError, UnfinishedRestoreError } from '../../runtime/storage/index.js';
