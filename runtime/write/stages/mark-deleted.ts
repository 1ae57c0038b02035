/** The stages of a delete that mark an object: one that is held, for its finalizers or its kind to end it, or briefly. */

import { encodeForWrite } from '../../resource/encoding.js';
import { prepareToRead } from '../../resource/prepare-to-read.js';
import type { DeleteAttempt, StageAnswer } from '../attempt.js';
import { commitWithPreconditions } from '../preconditions.js';
import { isUnheld } from './remove.js';

/** Ends the delete of an object that is held. */
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
  const answer = await storeMark(attempt);
  return answer ?? { outcome: { object, entry: attempt.entry, created: false, removed: false } };
}

/** Marks an object of a kind that gives time, but whose time is over at once: its watchers see its end set, then reached. */
export function markBriefly(attempt: DeleteAttempt): Promise<StageAnswer> | undefined {
  if (!attempt.graceBegun || attempt.write.dryRun || !isUnheld(attempt)) return undefined;
  attempt.object.metadata.finalizers = undefined;
  return storeMark(attempt);
}

/** Stores the object as it is marked; the delete goes on from there. */
async function storeMark(attempt: DeleteAttempt): Promise<StageAnswer> {
  const { write, entry, object } = attempt;
  const next = await encodeForWrite(write.resource, object);
  if (!next.ok) return next.failure;
  const change = { key: entry.key, expected: entry.revision, next: next.value, ending: true } as const;
  const commit = await commitWithPreconditions(write, change);
  if (commit.outcome === 'conflict') return 'lost';
  if (commit.outcome === 'failed') return commit.failure;
  const unreadable = await prepareToRead(write.resource, [commit.entry]);
  if (unreadable) return unreadable;
  object.metadata.resourceVersion = String(commit.entry.revision);
  attempt.entry = commit.entry;
  return undefined;
}
