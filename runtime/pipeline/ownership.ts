/** The stage that records which field manager owns what a write changed. */
import type { ApiObject } from '../contract/index.js';
import { updateManagedFields } from '../merge/index.js';
import { subresourceName, type Write } from './write.js';

/** Sets `metadata.managedFields` of what a create, update or patch is about to store, in place. */
export function recordOwnership(write: Write, object: ApiObject, live: ApiObject | undefined): void {
  updateManagedFields({
    plan: write.resource.plan,
    live,
    next: object,
    manager: write.manager,
    apiVersion: write.resource.apiVersion,
    subresource: subresourceName(write),
    now: write.now,
    resetFields: resetFields(write),
  });
}

/** Parts that this path cannot write, and so nobody comes to own by writing here. */
function resetFields(write: Write): { readonly only?: readonly string[]; readonly except?: readonly string[] } {
  const { subresource } = write;
  if (subresource)
    return { only: subresource.writesMetadata ? ['metadata', ...subresource.writes] : subresource.writes };
  const except = write.resource.module.subresources.flatMap((other) => (other.scale ? [] : other.writes));
  return { except };
}
