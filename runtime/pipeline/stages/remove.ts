/** The stage of a delete that removes an object at once where nothing holds it. */
import { giveUpValues } from '../allocation/value-records.js';
import type { DeleteAttempt } from '../attempt.js';
import { commitWithPreconditions } from '../preconditions.js';
import type { StageAnswer } from '../run-stages.js';
import { encodeForWrite } from '../versions/encoding.js';

/** Removes the object, unless finalizers or its kind hold it. */
export function removeUnheld(attempt: DeleteAttempt): Promise<StageAnswer> | undefined {
  const { write, object, finalizers } = attempt;
  const removable = write.resource.strategy?.mayRemove?.(object) ?? true;
  return finalizers.length === 0 && removable ? remove(attempt) : undefined;
}

async function remove({ write, entry, object }: DeleteAttempt): Promise<StageAnswer> {
  if (write.dryRun) return { outcome: { object, created: false, removed: true } };
  const last = await encodeForWrite(write.resource, object);
  if (!last.ok) return last.failure;
  const commit = await commitWithPreconditions(write, { key: entry.key, expected: entry.revision, last: last.value });
  if (commit.outcome === 'conflict') return 'lost';
  if (commit.outcome === 'failed') return commit.failure;
  if (write.resource.strategy?.allocation?.records) await giveUpValues(write, object);
  object.metadata.resourceVersion = String(commit.entry.revision);
  return { outcome: { object, entry: commit.entry, created: false, removed: true } };
}
