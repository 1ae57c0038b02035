/** The stages that check the revision which an object names, and the last one, which stores the object. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiObject, Change, Commit, Failure, Guard, Key, ObjectPlace } from '../../contract/index.js';
import { invalidValue, Verbatim } from '../../objects/field-error.js';
import { alreadyExists, badRequest, conflict, forbiddenObject, invalid, verbNotAllowed } from '../../objects/status.js';
import { inSpan } from '../../objects/tracing.js';
import type { WriteOutcome } from '../../request/responses.js';
import type { PipelineServices } from '../../request/verb-request.js';
import { asAnswered, encodeForWrite, isStoredAs } from '../../resource/encoding.js';
import { keyOf, type ServedResource } from '../../resource/served-resource.js';
import { objectOf } from '../../resource/stored-object.js';
import { prepareToRead } from '../../resource/versions.js';
import { giveUpValues } from '../allocation.js';
import type {
  Attempt,
  CreateAttempt,
  DeleteAttempt,
  Precondition,
  Preconditions,
  StageAnswer,
  UpdateAttempt,
  Write,
} from '../write.js';
import { generateName } from './metadata.js';

/** Generated names are tried this often before a clash is reported. */
const generatedNameAttempts = 8;

/** Stores a new object. One with a generated name gets another name where that is taken. */
export async function commitCreate(attempt: CreateAttempt): Promise<StageAnswer> {
  const { write, object, assignment } = attempt;
  const { resource, services } = write;
  const { guards } = assignment;
  const attempts = namesToTry(attempt);
  for (let tried = 1; ; tried++) {
    const key = keyOf(resource, write.namespace, object.metadata.name ?? '');
    const existing = services.store.get(key);
    if (!existing && write.dryRun) return answerDry(resource, object, { created: true, removed: false });
    const next = existing ? undefined : await encodeForWrite(resource, object);
    if (next?.ok === false) return next.failure;
    const commit = next
      ? await commitWithPreconditions(write, { key, expected: 0, next: next.value, guards })
      : ({ outcome: 'conflict', current: existing } as const);
    if (commit.outcome === 'committed') {
      assignment.keep();
      const unreadable = await prepareToRead(resource, [commit.entry]);
      if (unreadable) return unreadable;
      object.metadata.resourceVersion = String(commit.entry.revision);
      return { outcome: { object, entry: commit.entry, created: true, removed: false } };
    }
    if (commit.outcome === 'failed') return commit.failure;
    if (tried === attempts) {
      const deleting = commit.current && objectOf(commit.current).metadata.deletionTimestamp !== undefined;
      return taken(write, object, deleting ? 'object is being deleted: ' : '');
    }
    object.metadata.name = undefined;
    generateName(object, write);
  }
}

/** Returns 1 if another name is not possible, for example because records of values contain the name. */
const namesToTry = ({ write, assignment, generated }: CreateAttempt): number =>
  !generated || assignment.recorded || write.resource.module.nameRule.generated === 'nothing'
    ? 1
    : generatedNameAttempts;

function taken({ resource: { module } }: Write, object: ApiObject, prefix: string): Failure {
  return alreadyExists(module.group, module.names.plural, object.metadata.name ?? '', prefix);
}

export const refuseWhileTerminating = ({ write }: Attempt): Failure | undefined =>
  write.resource.defined?.terminating() ? terminating(write) : undefined;

/** Stores the object in place of the entry that the update started from, or removes it where it may end now. */
export async function commitUpdate({ write, entry, object, old, assignment }: UpdateAttempt): Promise<StageAnswer> {
  const { resource } = write;
  const { guards } = assignment;
  const removed = isFinished(write, object);
  if (write.dryRun) return answerDry(resource, object, { created: false, removed });
  // Watchers of a removal see the last state that was stored, since this update itself never is.
  const next = removed ? undefined : await encodeForWrite(resource, object);
  if (next?.ok === false) return next.failure;
  // A conversion may drop all that changed.
  if (next && resource !== resource.stored && isStoredAs(entry, next.value) && !write.services.store.isStale?.(entry))
    return { outcome: { object: old, entry, created: false, removed: false } };
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

async function answerDry(
  resource: ServedResource,
  object: ApiObject,
  how: Pick<WriteOutcome, 'created' | 'removed'>,
): Promise<StageAnswer> {
  const answered = await asAnswered(resource, object);
  return answered.ok ? { outcome: { object: answered.value, ...how } } : answered.failure;
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

/** Adds an object of which a check has been made; the check is made again should the object change. */
export function addPrecondition(
  { resource: find, store }: Pick<PipelineServices, 'resource' | 'store'>,
  preconditions: Preconditions,
  { group, resource, namespace, name }: ObjectPlace,
  broken: () => Failure | undefined,
): void {
  const found = find(group, resource);
  if (!found) return;
  const key = keyOf(found, namespace, name);
  preconditions.set(key, new StoredObject(store, key, broken));
}

/** A stored object that a write relies on. */
class StoredObject implements Precondition {
  constructor(
    private readonly store: PipelineServices['store'],
    private readonly key: Key,
    readonly broken: () => Failure | undefined,
  ) {}

  guard(): Guard {
    return { key: this.key, revision: this.store.get(this.key)?.revision ?? 0 };
  }
}

/** The number of attempts of a change if an object that it relies on changes meanwhile. */
const attempts = 24;

/** The longest pause before that, milliseconds: what is about to change has to become durable first. */
const longestPauseMs = 100;

/**
 * Commits a change of a write. A change of a custom resource also relies on the definition: nothing is stored under an
 * outdated schema, or created once the definition is being deleted.
 */
export function commitWithPreconditions(write: Write, change: Change): Promise<Commit> {
  return Promise.resolve(inSpan('Storage commit', () => commitOnce(write, change)));
}

async function commitOnce(write: Write, change: Change): Promise<Commit> {
  const preconditions = preconditionsOf(write, change);
  if (preconditions.length === 0) return commitDecided(write, change);
  for (let attempt = 1; ; attempt++) {
    for (const one of preconditions) {
      const failure = one.broken();
      if (failure) return { outcome: 'failed', failure };
    }
    const guards = [...(change.guards ?? []), ...preconditions.map((one) => one.guard())];
    const commit = await commitDecided(write, { ...change, guards });
    if (commit.outcome !== 'failed' || !commit.unguarded || attempt === attempts) return commit;
    await sleep(Math.min(2 ** attempt, longestPauseMs));
  }
}

/** Commits a change on the state that the write is decided on. */
async function commitDecided({ unconfirmed, services: { store } }: Write, change: Change): Promise<Commit> {
  if (!unconfirmed || unconfirmed.isConfirmed) return store.commit(change);
  const commit = await store.commit({ ...change, basis: unconfirmed.basis });
  unconfirmed.note(commit);
  return commit;
}

function preconditionsOf(write: Write, { expected }: Change): readonly Precondition[] {
  const others = [...write.preconditions.values()];
  const { defined } = write.resource.stored;
  if (!defined) return others;
  const broken = (): Failure | undefined => {
    if (!defined.ended.aborted) return expected === 0 && defined.terminating() ? terminating(write) : undefined;
    write.superseded?.();
    return superseded(write);
  };
  return [{ broken, guard: defined.guard }, ...others];
}

/** 405: the definition is being deleted, and all objects with it. */
function terminating({ resource: { module } }: Write): Failure {
  return verbNotAllowed('create', module.group, module.names.plural, 'while custom resource definition is terminating');
}

/** 503: nothing was stored; the client may simply try again. */
const superseded = ({ resource: { groupResource } }: Write): Failure => ({
  reason: 'ServiceUnavailable',
  message: `the definition of ${groupResource} changed while the request was under way, please try again`,
  details: { retryAfterSeconds: 1 },
});

/**
 * Refuses a new object with a revision before it is stored. A dry run may have one. Ignores `0` and texts that are not
 * numbers. Updates and applies that create an object may have any revision.
 */
export function refuseRevision({ object, write, plan }: CreateAttempt): Failure | undefined {
  if (write.dryRun) return undefined;
  const { resourceVersion = '' } = object.metadata;
  object.metadata.resourceVersion = undefined;
  if (plan.verb !== 'create' || !namesRevision(resourceVersion)) return undefined;
  return badRequest('resourceVersion should not be set on objects to be created');
}

const maxRevision = 2n ** 64n - 1n;

/** Zeros before a number do not count; one of more than 20 other digits is too large, and is not read. */
function namesRevision(text: string): boolean {
  const [, digits] = /^0*(\d{1,20})$/.exec(text) ?? [];
  return digits !== undefined && BigInt(digits) > 0n && BigInt(digits) <= maxRevision;
}

/** Whether an object names the revision that it is meant to follow. */
export const isPinned = ({ metadata: { resourceVersion } }: ApiObject): boolean =>
  resourceVersion !== undefined && resourceVersion !== '' && resourceVersion !== '0';

/** Refuses an update of another revision than the stored one; an object that names none gets that. */
export function checkRevision({ write, object, entry }: UpdateAttempt): Failure | undefined {
  const current = String(entry.revision);
  const { module } = write.resource;
  if (!isPinned(object)) {
    if (!module.unconditionalUpdate) {
      const error = invalidValue('metadata.resourceVersion', new Verbatim('0x0'), 'must be specified for an update');
      return invalid(module.group, module.names.plural, write.name, [error]);
    }
    object.metadata.resourceVersion = current;
    return undefined;
  }
  return object.metadata.resourceVersion === current ? undefined : modified(write);
}

/**
 * The uid that a replacement names, where it does, must be the stored object's. In a patch it is a field like others.
 */
export const checkUid = ({ write, plan: { uid }, old }: UpdateAttempt): Failure | undefined =>
  !uid || uid === old.metadata.uid ? undefined : uidConflict(write, uid, old.metadata.uid ?? '');

/** The conflict of a uid that the object does not have; `found` is empty where there is no object. */
export function uidConflict(write: Write, uid: string, found: string): Failure {
  const { group, names } = write.resource.module;
  const path = [group, names.plural, write.namespace, write.name].filter((part) => part !== '').join('/');
  return conflict(
    group,
    names.plural,
    write.name,
    `StorageError: invalid object, Code: 4, Key: /registry/${path}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${found}`,
  );
}

export function checkDeletePreconditions({ write, plan, old }: DeleteAttempt): Failure | undefined {
  const { uid, resourceVersion } = plan.preconditions;
  const { group, names } = write.resource.module;
  const asStore = write.resource.handlers?.marksFirst !== undefined;
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

export const authorizeCreate = ({ write, plan }: CreateAttempt): Promise<Failure | undefined> | undefined =>
  plan.verb === 'create' ? undefined : mayCreate(write);

async function mayCreate({ resource, namespace, name, user, services }: Write): Promise<Failure | undefined> {
  const { group, names } = resource.module;
  const asked = { user, verb: 'create', group, resource: names.plural, namespace, name };
  const { decision, reason = '' } = await services.authorizer.decide(asked);
  return decision === 'allow' ? undefined : forbiddenObject(group, names.plural, name, reason);
}
