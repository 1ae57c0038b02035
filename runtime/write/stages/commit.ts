/** The stages that check the revision and the uid of an object, and the last stage, which stores the object. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiObject, Change, Commit, Failure, Guard, Key, ObjectPlace } from '../../contract/index.js';
import { invalidValue, Verbatim } from '../../objects/field-error.js';
import {
  accessDenied,
  alreadyExists,
  badRequest,
  conflict,
  forbiddenObject,
  invalid,
  verbNotAllowed,
} from '../../objects/status.js';
import { inSpan } from '../../objects/tracing.js';
import type { WriteOutcome } from '../../request/responses.js';
import type { PipelineServices } from '../../request/verb-request.js';
import { asAnswered, encodeForWrite, isStoredAs } from '../../resource/encoding.js';
import { keyOf, objectOf, type ServedResource } from '../../resource/served-resource.js';
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

/** The number of generated names to try before the server reports a conflict. */
const generatedNameAttempts = 8;

/** Stores a new object. If a generated name is taken, tries other names. */
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
    if (commit.outcome === 'failed') return failed(attempt, commit.failure);
    if (tried === attempts) {
      const deleting = commit.current && objectOf(commit.current).metadata.deletionTimestamp !== undefined;
      return taken(write, object, deleting ? 'object is being deleted: ' : '');
    }
    object.metadata.name = undefined;
    generateName(object, write);
  }
}

/** Ends a write without a commit. Keeps its values if the object may be stored all the same. */
function failed({ assignment }: Attempt, failure: Failure): Failure {
  if (failure.reason === 'Timeout') assignment.keep();
  return failure;
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

/** Replaces the entry that the update started from, or removes it if nothing holds the deleted object any longer. */
export async function commitUpdate(attempt: UpdateAttempt): Promise<StageAnswer> {
  const { write, entry, object, old, assignment } = attempt;
  const { resource } = write;
  const { guards } = assignment;
  const removed = isFinished(write, object);
  if (write.dryRun) return answerDry(resource, object, { created: false, removed });
  // Watchers of a removal see the last stored state, because this update itself is never stored.
  const next = removed ? undefined : await encodeForWrite(resource, object);
  if (next?.ok === false) return next.failure;
  // A conversion may drop all changes.
  if (next && resource !== resource.stored && isStoredAs(entry, next.value) && !write.services.store.isStale?.(entry))
    return { outcome: { object: old, entry, created: false, removed: false } };
  const change = next ? { next: next.value } : {};
  const commit = await commitWithPreconditions(write, { key: entry.key, expected: entry.revision, ...change, guards });
  if (commit.outcome === 'conflict') return 'lost';
  if (commit.outcome === 'failed') return failed(attempt, commit.failure);
  if (!removed) assignment.keep();
  if (resource.handlers?.allocation?.records) await giveUpValues(write, old, removed ? undefined : object);
  // The answer to the last update of an object in deletion has the old revision, because this update is never stored.
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

/** Returns whether an object is in deletion and nothing holds it any longer. */
function isFinished(write: Write, object: ApiObject): boolean {
  const { deletionTimestamp, finalizers } = object.metadata;
  if (deletionTimestamp === undefined || (finalizers && finalizers.length > 0)) return false;
  return write.resource.handlers?.mayRemove?.(object) ?? true;
}

/** Returns the conflict of an update of an old revision. */
export const modified = ({ resource: { module }, name }: Write): Failure =>
  conflict(module.group, module.names.plural, name);

/** Adds an object that a check relies on. If the object changes, the write repeats the check. */
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

/** The number of attempts of a change, if an object that it relies on changes in the meantime. */
const attempts = 24;

/** The longest pause between attempts, in milliseconds. The other change must become durable first. */
const longestPauseMs = 100;

/**
 * Commits a change of a write. A change of a custom resource also relies on the definition. So nothing is stored under
 * an outdated schema, or created while the definition is being deleted.
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

/** Commits a change on the state that the write is based on. */
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

/** Returns a 405: the definition and all its objects are being deleted. */
function terminating({ resource: { module } }: Write): Failure {
  return verbNotAllowed('create', module.group, module.names.plural, 'while custom resource definition is terminating');
}

/** Returns a 503: the server has stored nothing, and the client may try again. */
const superseded = ({ resource: { groupResource } }: Write): Failure => ({
  reason: 'ServiceUnavailable',
  message: `the definition of ${groupResource} changed during the request, please try again`,
  details: { retryAfterSeconds: 1 },
});

/**
 * Refuses a new object with a revision, except in dry runs, and except `0` and texts that are not numbers. Updates and
 * applies that create an object may have any revision.
 */
export function refuseRevision({ object, write, plan }: CreateAttempt): Failure | undefined {
  if (write.dryRun) return undefined;
  const { resourceVersion = '' } = object.metadata;
  object.metadata.resourceVersion = undefined;
  if (plan.verb !== 'create' || !namesRevision(resourceVersion)) return undefined;
  return badRequest('resourceVersion should not be set on objects to be created');
}

const maxRevision = 2n ** 64n - 1n;

/**
 * Returns whether a text is a valid revision other than 0. Ignores leading zeros. Does not read more than 20 other
 * digits, because the number is too large.
 */
function namesRevision(text: string): boolean {
  const [, digits] = /^0*(\d{1,20})$/.exec(text) ?? [];
  return digits !== undefined && BigInt(digits) > 0n && BigInt(digits) <= maxRevision;
}

/** Returns whether an object names the revision to replace. */
export const isPinned = ({ metadata: { resourceVersion } }: ApiObject): boolean =>
  resourceVersion !== undefined && resourceVersion !== '' && resourceVersion !== '0';

/** Refuses an update of another revision than the stored one. An object without a revision gets the stored one. */
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

/** Refuses a replacement with another uid than the stored object's. In a patch, the uid is a field like any other. */
export const checkUid = ({ write, plan: { uid }, old }: UpdateAttempt): Failure | undefined =>
  !uid || uid === old.metadata.uid ? undefined : uidConflict(write, uid, old.metadata.uid ?? '');

/** Returns the conflict of a wrong uid; `found` is empty if the object does not exist. */
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
  if (decision === 'allow') return undefined;
  return { ...forbiddenObject(group, names.plural, name, reason), later: accessDenied(asked, reason) };
}
