/** Errors of stores that say what to do about stored data. */
export {
  DamagedFileError,
  DamagedStoreError,
  DataInUseError,
  UnfinishedRestoreError,
} from '../../runtime/storage/index.js';
