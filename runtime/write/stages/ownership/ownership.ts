/** The stages that record which field manager owns what a write changed. */
import type { ApiObject, ManagedFieldsEntry } from '../../../contract/index.js';
import { keepTimesOfNoOp, updateInSteps } from '../../../merge/index.js';
import { finish, type Steps } from '../../../objects/turns.js';
import type { CreateAttempt, UpdateAttempt } from '../../attempt.js';
import type { Write } from '../../write.js';
import { OwnedChange } from './owned-writes.js';
import { amongVersions } from './remote-ownership.js';

/** Sets `metadata.managedFields` of what a create, update or patch is about to store, in place. */
export function recordOwnership(write: Write, object: ApiObject, live: ApiObject | undefined): void {
  finish(ownershipInSteps(write, object, live));
}

/** The same in steps. */
export function* ownershipInSteps(write: Write, object: ApiObject, live: ApiObject | undefined): Steps<void> {
  object.metadata.managedFields = yield* updateInSteps(new OwnedChange(write, object, live));
}

/** Makes the creator the owner of all fields of a new object, unless its owners are recorded already. */
export function recordCreator({ write, object, plan }: CreateAttempt): void | Promise<void> {
  if (plan.owned) return undefined;
  const sent = object.metadata.managedFields;
  return amongVersions(write, () => ownershipOfCreator(write, object, sent));
}

/** A function of the module, and not one made per request, as docs/architecture.md says of generators. */
function* ownershipOfCreator(write: Write, object: ApiObject, sent: ManagedFieldsEntry[] | undefined): Steps<void> {
  object.metadata.managedFields = sent;
  yield* ownershipInSteps(write, object, undefined);
}

/** Leaves the times of owners as they were where a write changes nothing but those. */
export function keepTimesOfOwners({ object, old }: UpdateAttempt): void {
  object.metadata.managedFields = keepTimesOfNoOp(old, object, object.metadata.managedFields);
}
