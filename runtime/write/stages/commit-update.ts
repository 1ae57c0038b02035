/** The last stage of an update: stores the object in place of the one that it was made of. */
import type { ApiObject, Failure } from '../../contract/index.js';
import { conflict } from '../../objects/status.js';
import { encodeForWrite } from '../../resource/encoding.js';
import { prepareToRead } from '../../resource/prepare-to-read.js';
import { asAnswered } from '../../resource/versions.js';
import { giveUpValues } from '../allocation/value-records.js';
import type { StageAnswer, UpdateAttempt } from '../attempt.js';
import { commitWithPreconditions } from '../preconditions.js';
import type { Write } from '../write.js';

/** Stores the object in place of the entry that the update started from, or removes it where it may end now. */
export async function commitUpdate({ write, entry, object, old, assignment }: UpdateAttempt): Promise<StageAnswer> {
  const { resource } = write;
  const { guards } = assignment;
  const removed = isFinished(write, object);
  if (write.dryRun) return { outcome: { object: asAnswered(resource, object), created: false, removed } };
  // Watchers of a removal see the last state that was stored, since this update itself never is.
  const next = removed ? undefined : await encodeForWrite(resource, object);
  if (next?.ok === false) return next.failure;
  const change = next ? { next: next.value } : {};
  const commit = await commitWithPreconditions(write, { key: entry.key, expected: entry.revision, ...change, guards });
  if (commit.outcome === 'conflict') return 'lost';
  if (commit.outcome === 'failed') return commit.failure;
  if (!removed) assignment.keep();
  if (resource.handlers?.allocation?.records) await giveUpValues(write, old, removed ? undefined : object);
  // The last update of an object in deletion is answered with the version it had, since that update was never stored.
  if (removed) return { outcome: { object, created: false, removed } };
  const unreadable = await prepareToRead(resource, [commit.entry]);
  if (unreadable) return unreadable;
  object.metadata.resourceVersion = String(commit.entry.revision);
  return { outcome: { object, entry: commit.entry, created: false, removed } };
}

/** Whether the last thing that held an object in deletion has just been taken away. */
function isFinished(write: Write, object: ApiObject): boolean {
  const { deletionTimestamp, finalizers } = object.metadata;
  if (deletionTimestamp === undefined || (finalizers && finalizers.length > 0)) return false;
  return write.resource.handlers?.mayRemove?.(object) ?? true;
}

/** The conflict of an update of another revision than the stored one. */
export const modified = ({ resource: { module }, name }: Write): Failure =>
  conflict(module.group, module.names.plural, name);
