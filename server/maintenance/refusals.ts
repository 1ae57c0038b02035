/** Tells errors about data from those about flags, stores and files. */
import {
  DamagedFileError,
  DamagedSnapshotError,
  DamagedStoreError,
  NoSnapshotError,
  UnfinishedRestoreError,
} from '../../runtime/storage/index.js';
import { NotEmptyError } from './open-stores.js';

const refusals = [
  DamagedFileError,
  DamagedSnapshotError,
  DamagedStoreError,
  NoSnapshotError,
  NotEmptyError,
  UnfinishedRestoreError,
];

/** Whether a job ended as data is damaged, is no snapshot, or is in the way. */
export const isRefusal = (error: unknown): boolean => refusals.some((refusal) => error instanceof refusal);
