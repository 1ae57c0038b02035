/** The stages that record which field manager owns what a write changed. */
import type { ApiObject, ManagedFieldsEntry } from '../../../contract/index.js';
import { updateInSteps } from '../../../merge/index.js';
import { finish, type Steps } from '../../../objects/turns.js';
import type { ServedResource } from '../../../resource/served-resource.js';
import type { CreateAttempt, UpdateAttempt } from '../../attempt.js';
import type { Write } from '../../write.js';
import { OwnedChange } from './owned-writes.js';
import { amongVersions } from './remote-ownership.js';

/**
 * Makes the writer the owner of what it changed: of all fields of a new object. An apply has its owners already: they
 * decide how a configuration is merged.
 */
export function recordOwners({ write, object, current, plan }: CreateAttempt | UpdateAttempt): void | Promise<void> {
  if (plan.verb === 'apply') return undefined;
  const kind = ('view' in plan && plan.view?.kind) || write.resource;
  const sent = object.metadata.managedFields;
  return amongVersions(write, () => ownersOf(write, kind, object, current, sent));
}

/** A function of the module, and not one made per request, as docs/architecture.md says of generators. */
function* ownersOf(
  write: Write,
  kind: ServedResource,
  object: ApiObject,
  live: ApiObject | undefined,
  sent: ManagedFieldsEntry[] | undefined,
): Steps<void> {
  object.metadata.managedFields = sent;
  object.metadata.managedFields = yield* updateInSteps(new OwnedChange(write, kind, object, live));
}

/** Records the owners of an object that no stages are run for, in place. */
export function recordOwnership(
  write: Write,
  object: ApiObject,
  live: ApiObject | undefined,
  kind = write.resource,
): void {
  finish(ownersOf(write, kind, object, live, object.metadata.managedFields));
}
