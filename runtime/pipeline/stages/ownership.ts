/** The stage that records which field manager owns what a write changed. */
import type { ApiObject } from '../../contract/index.js';
import { updateManagedFields } from '../../merge/index.js';
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

/** What ownership needs to know of a write. */
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
