/** The stage that checks the uid which a replacement names. */
import type { Failure } from '../../contract/index.js';
import { conflict } from '../../objects/status.js';
import type { UpdateAttempt } from '../attempt.js';
import type { Write } from '../write.js';

/**
 * The uid that a replacement names, where it does, must be the stored object's. In a patch it is a field like others.
 */
export const checkUid = ({ write, plan: { uid }, old }: UpdateAttempt): Failure | undefined =>
  !uid || uid === old.metadata.uid ? undefined : uidConflict(write, uid, old.metadata.uid ?? '');

/** The conflict of a uid that the object does not have; `found` is empty where there is no object. */
export function uidConflict(write: Write, uid: string, found: string): Failure {
  const { group, names } = write.resource.module;
  const path = [group, names.plural, write.namespace, write.name].filter((part) => part !== '').join('/');
  return conflict(
    group,
    names.plural,
    write.name,
    `StorageError: invalid object, Code: 4, Key: /registry/${path}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${found}`,
  );
}
