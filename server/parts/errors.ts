/** Store errors that explain what to do about stored data. */
export {
  DamagedFileError,
  DamagedStoreError,
  DataInUseError,
  LockedStoreError,
  UnfinishedRestoreError,
} from '../../runtime/storage/index.js';

/**
 * Thrown if objects are stored in versions that the definitions of their kinds do not have. The message names them and
 * the cure.
 */
export class UnknownVersionError extends Error {}

/**
 * Thrown if a later release has stored objects, and the emulated one does not have their kinds or some of their fields.
 * The message names them and the cure.
 */
export class StepBackError extends Error {}
