/** The test for an update that changes nothing, and the stages that use it. */
import type { ApiObject, ManagedFieldsEntry } from '../../contract/index.js';
import { equal } from '../../objects/equality.js';
import { isOutdated } from '../../resource/versions.js';
import type { StageAnswer, UpdateAttempt } from '../write.js';

/**
 * Ends an update that changes nothing. But stores the object again if its stored form has an earlier version or an
 * earlier encryption key.
 */
export const endUnchanged = ({ write, object, old, entry }: UpdateAttempt): StageAnswer =>
  isUnchanged(object, old) && !isOutdated(write.resource.stored, entry) && !write.services.store.isStale?.(entry)
    ? { outcome: { object: old, entry, created: false, removed: false } }
    : undefined;

/** Restores the stored times of owners if nothing else changes, before validating admission sees them. */
export function keepTimesOfOwners({ object, old }: UpdateAttempt): void {
  if (isUnchanged(object, old)) object.metadata.managedFields = old.metadata.managedFields;
}

/**
 * Returns whether an object equals the stored one, except for the times of its owners. The order of a list counts, even
 * in a list with keys, because containers start one after the other. The order of keys in a map does not count.
 * Compares owners first, because nearly all changes show there.
 */
export function isUnchanged(object: ApiObject, old: ApiObject): boolean {
  const owners = object.metadata.managedFields;
  const before = old.metadata.managedFields;
  if (owners === before) return equal(object, old);
  if (owners?.length !== before?.length || !owners?.every((entry, i) => isSameButTime(entry, before?.[i])))
    return false;
  return equal(withoutOwners(object), withoutOwners(old));
}

/** The fields of an entry, except its time. */
const lasting = ['manager', 'operation', 'apiVersion', 'subresource', 'fieldsType', 'fieldsV1'] as const;

const isSameButTime = (a: ManagedFieldsEntry, b: ManagedFieldsEntry | undefined): boolean =>
  a === b || (b !== undefined && lasting.every((field) => equal(a[field], b[field])));

const withoutOwners = (object: ApiObject): ApiObject => ({
  ...object,
  metadata: { ...object.metadata, managedFields: undefined },
});
