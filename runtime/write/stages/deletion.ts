/** The stage of a delete that removes an object at once if nothing holds it. */

import type { ObjectMeta } from '../../contract/index.js';
import { formatTime } from '../../objects/scan/time.js';
import { encodeForWrite } from '../../resource/encoding.js';
import type { ResourceNames, VersionCode } from '../../resource/served-resource.js';
import { prepareToRead } from '../../resource/versions.js';
import { giveUpValues } from '../allocation.js';
import type { DeleteAttempt, DeletePlan, StageAnswer } from '../write.js';
import { commitWithPreconditions } from './commit.js';

/** Returns whether neither finalizers nor its kind hold the object. */
export function isUnheld(attempt: DeleteAttempt): boolean {
  const { write, object, finalizers } = attempt;
  if (isFirstMark(attempt)) return false;
  return finalizers.length === 0 && (write.resource.handlers?.mayRemove?.(object) ?? true);
}

/** Returns whether this delete only marks the object. The first delete does so for some kinds. */
const isFirstMark = ({ write, object }: DeleteAttempt): boolean =>
  write.resource.handlers?.marksFirst !== undefined && object.metadata.deletionTimestamp === undefined;

/** Removes the object, unless something holds it. */
export function removeUnheld(attempt: DeleteAttempt): Promise<StageAnswer> | undefined {
  return isUnheld(attempt) ? remove(attempt) : undefined;
}

async function remove({
  write,
  entry,
  object,
  graceBegun,
  assignment: { guards },
}: DeleteAttempt): Promise<StageAnswer> {
  if (write.dryRun) return { outcome: { object, created: false, removed: true } };
  const last = await encodeForWrite(write.resource, object);
  if (!last.ok) return last.failure;
  const commit = await commitWithPreconditions(write, {
    key: entry.key,
    expected: entry.revision,
    last: last.value,
    guards,
  });
  // If another writer has removed the marked object, the client has what it wanted.
  const isGone = commit.outcome === 'conflict' && graceBegun && commit.current === undefined;
  if (commit.outcome === 'conflict' && !isGone) return 'lost';
  if (commit.outcome === 'failed') return commit.failure;
  if (write.resource.handlers?.allocation?.records) await giveUpValues(write, object);
  const end = commit.outcome === 'conflict' ? entry : commit.entry;
  object.metadata.resourceVersion = String(end.revision);
  return { outcome: { object, entry: end, created: false, removed: true } };
}

type Propagation = NonNullable<DeletePlan['propagation']> | 'none';

/** The finalizers of garbage collection, which hold an object. */
const held: ReadonlyMap<string, Propagation> = new Map([
  ['orphan', 'Orphan'],
  ['foregroundDeletion', 'Foreground'],
]);

/** Ends the delete of an already marked object, if its kind decides on the removal and is not ready. */
export function endMarked({ write, entry, old: object }: DeleteAttempt): StageAnswer {
  const { marksFirst, mayRemove } = write.resource.handlers ?? {};
  if (!marksFirst || object.metadata.deletionTimestamp === undefined || (mayRemove?.(object) ?? true)) return undefined;
  return { outcome: { object, entry, created: false, removed: false } };
}

export function setFinalizers(attempt: DeleteAttempt): void {
  const own = attempt.object.metadata.finalizers ?? [];
  if (isFirstMark(attempt) && attempt.write.resource.handlers?.marksFirst === 'alone') {
    attempt.finalizers = own;
    return;
  }
  const propagation = propagationOf(attempt, own);
  const others = own.filter((finalizer) => !held.has(finalizer));
  const added = [...held].flatMap(([finalizer, of]) => (of === propagation ? [finalizer] : []));
  const next = [...others, ...added];
  const before = new Set(own);
  const same = next.length === own.length && next.every((finalizer) => before.has(finalizer));
  attempt.finalizers = same ? own : next;
}

/** Returns the propagation policy of the client, or else of the object's finalizers, or else of the kind. */
function propagationOf({ plan, write }: DeleteAttempt, own: readonly string[]): Propagation {
  const usual = defaultPropagation(write.resource);
  if (usual === 'none') return usual;
  const first = own.find((finalizer) => held.has(finalizer));
  return plan.propagation ?? (first === undefined ? undefined : held.get(first)) ?? usual;
}

/** Returns the propagation policy of a delete that names none. */
export const defaultPropagation = ({ handlers, module }: ResourceNames & VersionCode): Propagation =>
  handlers?.propagation?.(module.version) ?? 'Background';

/** The end of an object is not set (`none`), set by this delete (`begun`), or set before and unchanged (`pending`). */
type Grace = 'none' | 'begun' | 'pending';

/**
 * Sets the time at which the object ends. If an earlier delete has set it and it does not change, the delete ends here.
 */
export function beginGrace(attempt: DeleteAttempt): StageAnswer {
  const { object, entry } = attempt;
  const grace = graceOf(attempt);
  attempt.graceBegun = grace === 'begun';
  return grace === 'pending' ? { outcome: { object, entry, created: false, removed: false } } : undefined;
}

/** Sets the end of an object, in place. A later delete can only make the period shorter. */
function graceOf({ write, object, plan: { gracePeriodSeconds: asked } }: DeleteAttempt): Grace {
  // A negative period means the shortest one that is not 0.
  const wanted = asked !== undefined && asked < 0 ? 1 : asked;
  const period = write.resource.handlers?.gracePeriod?.(object, wanted);
  if (period === undefined) return 'none';
  const { metadata } = object;
  if (metadata.deletionTimestamp !== undefined) return shorten(metadata, wanted);
  setEnd(metadata, Date.parse(write.now), period);
  if (metadata.generation !== undefined && metadata.generation > 0) metadata.generation++;
  return 'begun';
}

function shorten(metadata: ObjectMeta, wanted: number | undefined): Grace {
  const before = metadata.deletionGracePeriodSeconds;
  // A period of 0 without finalizers means that an earlier delete stopped after it had marked the object.
  if (before === undefined || (before === 0 && !metadata.finalizers?.length)) return 'none';
  if (wanted === undefined || wanted >= before) return 'pending';
  setEnd(metadata, Date.parse(metadata.deletionTimestamp ?? '') - before * 1000, wanted);
  return 'begun';
}

/** The last time that RFC 3339 can express, in milliseconds since the epoch. */
const endOfTime = Date.parse('9999-12-31T23:59:59Z');

function setEnd(metadata: ObjectMeta, start: number, seconds: number): void {
  metadata.deletionTimestamp = formatTime(Math.min(start + seconds * 1000, endOfTime));
  metadata.deletionGracePeriodSeconds = seconds;
}

// The stages of a delete that mark an object: until its finalizers or its kind end it, or only briefly.

/** Marks an object that something holds, and ends the delete. */
export async function markDeleted(attempt: DeleteAttempt): Promise<StageAnswer> {
  const { write, entry, object, finalizers, graceBegun } = attempt;
  const held = finalizers.length > 0;
  const { metadata } = object;
  const before = metadata.finalizers ?? [];
  const asBefore = finalizers.length === before.length && finalizers.every((finalizer, i) => finalizer === before[i]);
  if (metadata.deletionTimestamp !== undefined && asBefore && !graceBegun) {
    return { outcome: { object, entry, created: false, removed: false } };
  }
  if (isFirstMark(attempt)) metadata.deletionTimestamp = write.now;
  else if (metadata.deletionTimestamp === undefined) {
    metadata.deletionTimestamp = write.now;
    if (held) metadata.deletionGracePeriodSeconds = 0;
    if (metadata.generation !== undefined && metadata.generation > 0) metadata.generation++;
  }
  metadata.finalizers = finalizers.length > 0 ? [...finalizers] : undefined;
  if (write.dryRun) return { outcome: { object, created: false, removed: false } };
  const answer = await storeMark(attempt);
  return answer ?? { outcome: { object, entry: attempt.entry, created: false, removed: false } };
}

/** Stores the end of an object before the same delete removes it, so that watchers see both. */
export function markBriefly(attempt: DeleteAttempt): Promise<StageAnswer> | undefined {
  if (!attempt.graceBegun || attempt.write.dryRun || !isUnheld(attempt)) return undefined;
  attempt.object.metadata.finalizers = undefined;
  return storeMark(attempt);
}

/** Stores the marked object. The delete continues from there. */
async function storeMark(attempt: DeleteAttempt): Promise<StageAnswer> {
  const { write, entry, object, assignment } = attempt;
  const next = await encodeForWrite(write.resource, object);
  if (!next.ok) return next.failure;
  const { guards } = assignment;
  const change = { key: entry.key, expected: entry.revision, next: next.value, ending: true, guards } as const;
  const commit = await commitWithPreconditions(write, change);
  if (commit.outcome === 'conflict') return 'lost';
  if (commit.outcome === 'failed') return commit.failure;
  const unreadable = await prepareToRead(write.resource, [commit.entry]);
  if (unreadable) return unreadable;
  object.metadata.resourceVersion = String(commit.entry.revision);
  attempt.entry = commit.entry;
  return undefined;
}
