/** The stage that records which field manager owns what a write changed. */
import type { ApiObject } from '../contract/index.js';
import { union } from '../merge/fieldpath/set-algebra.js';
import { type FieldSet, fieldElement, fieldSetOf, resetFieldsFor, updateManagedFields } from '../merge/index.js';
import type { ServedResource } from './served-resource.js';
import { subresourceName, type Write } from './write.js';

/** Sets `metadata.managedFields` of what a create, update or patch is about to store, in place. */
export function recordOwnership(write: Write, object: ApiObject, live: ApiObject | undefined): void {
  object.metadata.managedFields = updateManagedFields({
    ...ownershipOf(write),
    ...(live === undefined ? {} : { live }),
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
    ...(resource.versions === undefined ? {} : { versions: resource.versions }),
  };
}

/** Fields that writes to the object (empty) or to a subresource never come to own. */
export function resetFieldsOf(
  { module, plan }: Pick<ServedResource, 'module' | 'plan'>,
  subresource: string,
): FieldSet {
  const target = module.subresources.find(({ name }) => name === subresource);
  const untracked = (subresource === '' ? module.untracked : target?.untracked) ?? [];
  const paths = untracked.map((path) => path.split('.').map(fieldElement));
  return union(resetFieldsFor(plan, module.subresources, subresource), fieldSetOf(paths));
}
