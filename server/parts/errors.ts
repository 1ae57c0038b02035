/** Errors about stored data that name the cure. */
export {
  DamagedFileError,
  DamagedStoreError,
  DataInUseError,
  LockedStoreError,
  UnfinishedRestoreError,
} from '../../runtime/storage/index.js';

/**
 * Thrown if objects are stored in versions or scopes that the definitions of their kinds do not have. The message names
 * these and the cure.
 */
export class UnknownVersionError extends Error {}

/**
 * Thrown if a later release has stored objects, but the emulated one lacks their kinds or some of their fields. The
 * message names these and the cure.
 */
export class StepBackError extends Error {}
