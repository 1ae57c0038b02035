/** The stages that record which field manager owns what a write changed. */
import type { ApiObject } from '../../contract/index.js';
import { keepTimesOfNoOp, updateManagedFields } from '../../merge/index.js';
import type { CreateAttempt, UpdateAttempt } from '../attempt.js';
import { amongVersions } from '../versions/remote-ownership.js';
import { subresourceName, type Write } from '../write.js';

/** Sets `metadata.managedFields` of what a create, update or patch is about to store, in place. */
export function recordOwnership(write: Write, object: ApiObject, live: ApiObject | undefined): void {
  const { plan, manager, apiVersion, subresource, now, resetFields, versions } = ownershipOf(write);
  object.metadata.managedFields = updateManagedFields({
    plan,
    manager,
    apiVersion,
    subresource,
    now,
    resetFields,
    versions,
    live,
    next: object,
  });
}

/**
 * The same for a whole object that takes another one's place. One that is sent with an empty list of owners says that
 * nobody owns anything: nothing is recorded until somebody applies. A patch cannot say so.
 */
export function recordReplacement(write: Write, object: ApiObject, live: ApiObject): void {
  const sent = object.metadata.managedFields;
  if (sent?.length === 0 && subresourceName(write) === '') object.metadata.managedFields = undefined;
  else recordOwnership(write, object, live);
}

/** The parts of a write that ownership depends on. */
export function ownershipOf(write: Write) {
  const { resource, manager, now } = write;
  const subresource = subresourceName(write);
  return {
    plan: resource.plan,
    manager,
    apiVersion: resource.apiVersion,
    subresource,
    now,
    resetFields: resource.resetFields(subresource),
    // A Scale has no versions of its own to be converted.
    versions: resource.stored.remote ? write.remoteVersions : resource.versions,
  };
}

/** Makes the creator the owner of all fields of a new object, unless its owners are recorded already. */
export function recordCreator({ write, object, plan }: CreateAttempt): void | Promise<void> {
  if (plan.owned) return undefined;
  const sent = object.metadata.managedFields;
  return amongVersions(write, () => {
    object.metadata.managedFields = sent;
    recordOwnership(write, object, undefined);
  });
}

/** Leaves the times of owners as they were where a write changes nothing but those. */
export function keepTimesOfOwners({ object, old }: UpdateAttempt): void {
  object.metadata.managedFields = keepTimesOfNoOp(old, object, object.metadata.managedFields);
}
