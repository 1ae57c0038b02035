/** Errors of stores that say what to do about stored data. */
export {
  DamagedFileError,
  DamagedStoreError,
  DataInUseError,
  UnfinishedRestoreError,
} from '../../runtime/storage/index.js';

/** Objects are stored in versions that the definitions of their kinds do not have; the message says which, and what to do. */
export class UnknownVersionError extends Error {}
