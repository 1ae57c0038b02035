/** The stages of a delete: at once where nothing holds the object, else by a mark that finalizers answer to. */
import type { ApiObject, Entry, Failure, Result } from '../contract/index.js';
import { conflict, notFound } from '../objects/status.js';
import { giveUpValues } from './allocation/value-records.js';
import type { Outcome } from './outcome.js';
import { commitWithPreconditions } from './preconditions.js';
import { keyOf } from './served-resource.js';
import { validateAdmission } from './stages/admission.js';
import { beginGrace } from './stages/grace.js';
import { strategyContext } from './stages/validation.js';
import { encodeForWrite } from './versions/encoding.js';
import { prepareToRead } from './versions/remote-versions.js';
import { readAs } from './versions/versions.js';
import type { Write } from './write.js';

/** What a client may ask of a delete, checked. */
export interface DeletePlan {
  readonly preconditions: { readonly uid?: string; readonly resourceVersion?: string };
  /** What becomes of dependents; the kind's default where absent. */
  readonly propagation?: 'Orphan' | 'Foreground' | 'Background';
  /** For how long the object may go on; the kind's own time where absent. */
  readonly gracePeriodSeconds?: number;
}

const attempts = 64;

/** Whether validating admission is asked, or has admitted what the delete is a part of. */
type Admission = 'asked' | 'admitted';

/** Deletes the object that the write names. */
export async function runDelete(
  write: Write,
  plan: DeletePlan,
  admission: Admission = 'asked',
): Promise<Result<Outcome>> {
  const { resource, services } = write;
  const { group, names } = resource.module;
  const key = keyOf(resource, write.namespace, write.name);
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const entry = services.store.get(key);
    if (!entry) return { ok: false, failure: notFound(group, names.plural, write.name) };
    const unread = await prepareToRead(resource, [entry]);
    if (unread) return { ok: false, failure: unread };
    const settled = await deleteEntry(write, plan, entry, admission);
    if (settled !== 'lost') return settled;
    if (plan.preconditions.resourceVersion !== undefined) break;
  }
  return { ok: false, failure: conflict(group, names.plural, write.name) };
}

async function deleteEntry(
  write: Write,
  plan: DeletePlan,
  entry: Entry,
  admission: Admission,
): Promise<Result<Outcome> | 'lost'> {
  const old = readAs(write.resource, entry);
  const refused =
    checkPreconditions(write, plan, old) ??
    (admission === 'asked' ? await validateAdmission(write, 'DELETE', { oldObject: old }) : undefined);
  if (refused) return { ok: false, failure: refused };
  const object = readAs(write.resource, entry);
  write.resource.strategy?.prepareForDelete?.(object, strategyContext(write));
  const grace = beginGrace(write, plan.gracePeriodSeconds, object);
  if (grace === 'pending') return { ok: true, value: { object, entry, created: false, removed: false } };
  const finalizers = finalizersFor(plan, object);
  const held = finalizers.length > 0;
  const removable = write.resource.strategy?.mayRemove?.(object) ?? true;
  if (!held && removable) return removeNow(write, entry, object);
  return markDeleted(write, entry, object, { finalizers, held, begun: grace === 'begun' });
}

function checkPreconditions(write: Write, plan: DeletePlan, old: ApiObject): Failure | undefined {
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

/** The finalizers that the object is left with, those of garbage collection added or taken away as asked. */
function finalizersFor(plan: DeletePlan, object: ApiObject): readonly string[] {
  const own = object.metadata.finalizers ?? [];
  if (plan.propagation === undefined) return own;
  const others = own.filter((finalizer) => finalizer !== 'orphan' && finalizer !== 'foregroundDeletion');
  if (plan.propagation === 'Orphan') return [...others, 'orphan'];
  if (plan.propagation === 'Foreground') return [...others, 'foregroundDeletion'];
  return others;
}

async function removeNow(write: Write, entry: Entry, object: ApiObject): Promise<Result<Outcome> | 'lost'> {
  if (write.dryRun) return { ok: true, value: { object, created: false, removed: true } };
  const last = await encodeForWrite(write.resource, object);
  if (!last.ok) return last;
  const commit = await commitWithPreconditions(write, { key: entry.key, expected: entry.revision, last: last.value });
  if (commit.outcome === 'conflict') return 'lost';
  if (commit.outcome === 'failed') return { ok: false, failure: commit.failure };
  if (write.resource.strategy?.allocation?.records) await giveUpValues(write, object);
  object.metadata.resourceVersion = String(commit.entry.revision);
  return { ok: true, value: { object, entry: commit.entry, created: false, removed: true } };
}

/** What a mark says. */
interface Mark {
  readonly finalizers: readonly string[];
  /** Whether finalizers hold the object, rather than its kind. */
  readonly held: boolean;
  /** Whether the times of the deletion have been set just now. */
  readonly begun: boolean;
}

async function markDeleted(
  write: Write,
  entry: Entry,
  object: ApiObject,
  { finalizers, held, begun }: Mark,
): Promise<Result<Outcome> | 'lost'> {
  const { metadata } = object;
  const before = metadata.finalizers ?? [];
  const asBefore = finalizers.length === before.length && finalizers.every((finalizer, i) => finalizer === before[i]);
  if (metadata.deletionTimestamp !== undefined && asBefore && !begun) {
    return { ok: true, value: { object, entry, created: false, removed: false } };
  }
  if (metadata.deletionTimestamp === undefined) {
    metadata.deletionTimestamp = write.now;
    if (held) metadata.deletionGracePeriodSeconds = 0;
    if (metadata.generation !== undefined && metadata.generation > 0) metadata.generation++;
  }
  metadata.finalizers = finalizers.length > 0 ? [...finalizers] : undefined;
  if (write.dryRun) return { ok: true, value: { object, created: false, removed: false } };
  const next = await encodeForWrite(write.resource, object);
  if (!next.ok) return next;
  const commit = await commitWithPreconditions(write, { key: entry.key, expected: entry.revision, next: next.value });
  if (commit.outcome === 'conflict') return 'lost';
  if (commit.outcome === 'failed') return { ok: false, failure: commit.failure };
  const unread = await prepareToRead(write.resource, [commit.entry]);
  if (unread) return { ok: false, failure: unread };
  metadata.resourceVersion = String(commit.entry.revision);
  return { ok: true, value: { object, entry: commit.entry, created: false, removed: false } };
}
