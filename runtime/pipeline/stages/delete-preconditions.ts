/** The stage that holds a delete to the uid and the revision that its client has named. */
import type { Failure } from '../../contract/index.js';
import { conflict } from '../../objects/status.js';
import type { DeleteAttempt } from '../attempt.js';

export function checkDeletePreconditions({ write, plan, old }: DeleteAttempt): Failure | undefined {
  const { uid, resourceVersion } = plan.preconditions;
  const { group, names } = write.resource.module;
  const refuse = (what: string, wanted: string, found: string): Failure =>
    conflict(
      group,
      names.kind,
      write.name,
      `the ${what} in the precondition (${wanted}) does not match the ${what} in record (${found}). The object might have been ${what === 'UID' ? 'deleted and then recreated' : 'modified'}`,
    );
  if (uid !== undefined && uid !== old.metadata.uid) return refuse('UID', uid, old.metadata.uid ?? '');
  if (resourceVersion !== undefined && resourceVersion !== old.metadata.resourceVersion) {
    return refuse('ResourceVersion', resourceVersion, old.metadata.resourceVersion ?? '');
  }
  return undefined;
}
