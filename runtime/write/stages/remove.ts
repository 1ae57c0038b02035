/** The stage of a delete that removes an object at once where nothing holds it. */

import { encodeForWrite } from '../../resource/encoding.js';
import { giveUpValues } from '../allocation/value-records.js';
import type { DeleteAttempt, StageAnswer } from '../attempt.js';
import { commitWithPreconditions } from '../preconditions.js';

/** Whether neither finalizers nor its kind hold the object. */
export function isUnheld({ write, object, finalizers }: DeleteAttempt): boolean {
  return finalizers.length === 0 && (write.resource.handlers?.mayRemove?.(object) ?? true);
}

/** Removes the object, unless something holds it. */
export function removeUnheld(attempt: DeleteAttempt): Promise<StageAnswer> | undefined {
  return isUnheld(attempt) ? remove(attempt) : undefined;
}

async function remove({ write, entry, object, graceBegun }: DeleteAttempt): Promise<StageAnswer> {
  if (write.dryRun) return { outcome: { object, created: false, removed: true } };
  const last = await encodeForWrite(write.resource, object);
  if (!last.ok) return last.failure;
  const commit = await commitWithPreconditions(write, { key: entry.key, expected: entry.revision, last: last.value });
  // Where somebody else has removed the object after it was marked, the client has what it wanted.
  const isGone = commit.outcome === 'conflict' && graceBegun && commit.current === undefined;
  if (commit.outcome === 'conflict' && !isGone) return 'lost';
  if (commit.outcome === 'failed') return commit.failure;
  if (write.resource.handlers?.allocation?.records) await giveUpValues(write, object);
  const end = commit.outcome === 'conflict' ? entry : commit.entry;
  object.metadata.resourceVersion = String(end.revision);
  return { outcome: { object, entry: end, created: false, removed: true } };
}
