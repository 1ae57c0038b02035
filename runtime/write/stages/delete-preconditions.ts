/** The stage that holds a delete to the uid and the revision that its client has named. */
import type { Failure } from '../../contract/index.js';
import { conflict } from '../../objects/status.js';
import type { DeleteAttempt } from '../attempt.js';

export function checkDeletePreconditions({ write, plan, old }: DeleteAttempt): Failure | undefined {
  const { uid, resourceVersion } = plan.preconditions;
  const { group, names } = write.resource.module;
  const asStore = write.resource.handlers?.storePreconditions === true;
  const refuse = (what: string, wanted: string, found: string): Failure =>
    conflict(
      group,
      asStore ? names.plural : names.kind,
      write.name,
      asStore
        ? `Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${found}`
        : `the ${what} in the precondition (${wanted}) does not match the ${what} in record (${found}). The object might have been ${what === 'UID' ? 'deleted and then recreated' : 'modified'}`,
    );
  if (uid !== undefined && uid !== old.metadata.uid) return refuse('UID', uid, old.metadata.uid ?? '');
  if (resourceVersion !== undefined && resourceVersion !== old.metadata.resourceVersion) {
    return refuse('ResourceVersion', resourceVersion, old.metadata.resourceVersion ?? '');
  }
  return undefined;
}
