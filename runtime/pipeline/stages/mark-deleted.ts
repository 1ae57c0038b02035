/** The last stage of a delete of an object that is held: marks it, for its finalizers or its kind to end it. */
import type { DeleteAttempt } from '../attempt.js';
import { commitWithPreconditions } from '../preconditions.js';
import type { StageAnswer } from '../run-stages.js';
import { encodeForWrite } from '../versions/encoding.js';
import { prepareToRead } from '../versions/prepare-to-read.js';

export async function markDeleted(attempt: DeleteAttempt): Promise<StageAnswer> {
  const { write, entry, object, finalizers, graceBegun } = attempt;
  const held = finalizers.length > 0;
  const { metadata } = object;
  const before = metadata.finalizers ?? [];
  const asBefore = finalizers.length === before.length && finalizers.every((finalizer, i) => finalizer === before[i]);
  if (metadata.deletionTimestamp !== undefined && asBefore && !graceBegun) {
    return { outcome: { object, entry, created: false, removed: false } };
  }
  if (metadata.deletionTimestamp === undefined) {
    metadata.deletionTimestamp = write.now;
    if (held) metadata.deletionGracePeriodSeconds = 0;
    if (metadata.generation !== undefined && metadata.generation > 0) metadata.generation++;
  }
  metadata.finalizers = finalizers.length > 0 ? [...finalizers] : undefined;
  if (write.dryRun) return { outcome: { object, created: false, removed: false } };
  const next = await encodeForWrite(write.resource, object);
  if (!next.ok) return next.failure;
  const change = { key: entry.key, expected: entry.revision, next: next.value, ending: true } as const;
  const commit = await commitWithPreconditions(write, change);
  if (commit.outcome === 'conflict') return 'lost';
  if (commit.outcome === 'failed') return commit.failure;
  const unreadable = await prepareToRead(write.resource, [commit.entry]);
  if (unreadable) return unreadable;
  metadata.resourceVersion = String(commit.entry.revision);
  return { outcome: { object, entry: commit.entry, created: false, removed: false } };
}
