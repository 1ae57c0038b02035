/** The stages of an update, from "merge into the current object" to the commit; run again on every lost race. */
import type { ApiObject, Entry, Failure, Result } from '../contract/index.js';
import { keepTimesOfNoOp } from '../merge/index.js';
import { clone } from '../objects/clone.js';
import { equal } from '../objects/equality.js';
import { invalidValue, Verbatim } from '../objects/field-error.js';
import { conflict, invalid, notFound } from '../objects/status.js';
import { type Assignment, assignValues } from './allocation/assignment.js';
import { giveUpValues } from './allocation/value-records.js';
import type { Outcome } from './outcome.js';
import { commitWithPreconditions } from './preconditions.js';
import { keyOf } from './served-resource.js';
import { admit, validateAdmission } from './stages/admission.js';
import { dropDisabledFields } from './stages/disabled-fields.js';
import { settleEmptyLists } from './stages/empty-lists.js';
import { countGeneration } from './stages/generation.js';
import { dedupOwnerReferences } from './stages/owner-references.js';
import { checkNameAgrees, keepSystemFields, placeInNamespace } from './stages/system-fields.js';
import { strategyContext, validateUpdate } from './stages/validation.js';
import { keepSubresourceFields, takeOnlySubresourceFields } from './stages/writable-fields.js';
import { nextStage } from './stages.js';
import { encodeForWrite } from './versions/encoding.js';
import { amongVersions } from './versions/remote-ownership.js';
import { prepareToRead } from './versions/remote-versions.js';
import { asAnswered, isOutdated, readAs } from './versions/versions.js';
import type { Write } from './write.js';

/** Another kind that the object is seen as, as by a subresource. */
export interface AdmittedView {
  readonly of: (object: ApiObject) => ApiObject;
  /** Brings what plugins changed back into the object, in place. */
  readonly into: (object: ApiObject, view: ApiObject) => void;
}

/** What an update does to the stored object. */
export interface UpdatePlan {
  /**
   * Yields the object to store, decoded, pruned, defaulted and with its owners recorded. It leaves the current one as it
   * is and shares nothing with it but entries of managedFields; `draftOf` makes a copy to begin with. Called again when
   * another writer was faster.
   */
  readonly next: (current: ApiObject) => Result<ApiObject>;
  /** What admission sees in place of the object; the object itself where absent. */
  readonly view?: AdmittedView;
  /** Makes the object where there is none yet; absent where an update cannot create. */
  readonly create?: () => Promise<Result<Outcome>>;
  /** The uid that a replacement says the object has; empty where it says none. */
  readonly uid: string;
  /** Whether the client named the revision it means, so that a lost race is its conflict to solve. */
  readonly pinned: boolean;
  /** How often to start again after a lost race when the client named no revision. */
  readonly attempts: number;
}

/** A copy of the current object that the next one may be made of. Entries of owners, which nobody changes, are shared. */
export function draftOf(current: ApiObject): ApiObject {
  const { managedFields, ...metadata } = current.metadata;
  const draft = clone({ ...current, metadata });
  if (managedFields !== undefined) draft.metadata.managedFields = managedFields;
  return draft;
}

/** Updates the object that the write names. */
export async function runUpdate(write: Write, plan: UpdatePlan): Promise<Result<Outcome>> {
  const { resource, services } = write;
  const key = keyOf(resource, write.namespace, write.name);
  for (let attempt = 1; ; attempt++) {
    const entry = services.store.get(key);
    if (!entry) return plan.create ? plan.create() : { ok: false, failure: missing(write, plan) };
    const unread = await prepareToRead(resource, [entry]);
    if (unread) return { ok: false, failure: unread };
    const prepared = await prepareUpdate(write, plan, entry);
    if (!prepared.ok) return prepared;
    const settled = await finishUpdate(write, plan, entry, prepared.value);
    if (settled !== 'lost') return settled;
    if (plan.pinned || attempt >= plan.attempts) return { ok: false, failure: modifiedFailure(write) };
  }
}

interface Prepared {
  readonly object: ApiObject;
  readonly old: ApiObject;
}

/** The stages from the assignment of values on, which are claimed until the commit has been answered. */
async function finishUpdate(
  write: Write,
  plan: UpdatePlan,
  entry: Entry,
  { object, old }: Prepared,
): Promise<Result<Outcome> | 'lost'> {
  const assigned = await assignValues(write, object, old);
  if (!assigned.ok) return assigned;
  try {
    const refused = await checkUpdate(write, plan, object, old);
    if (refused) return { ok: false, failure: refused };
    // What was stored in an earlier version is written again even so.
    if (equal(object, old) && !isOutdated(write.resource.stored, entry))
      return { ok: true, value: { object: old, entry, created: false, removed: false } };
    return await commitUpdate(write, entry, { object, old }, assigned.value);
  } finally {
    const released = assigned.value.release();
    if (released) await released;
  }
}

async function prepareUpdate(write: Write, plan: UpdatePlan, entry: Entry): Promise<Result<Prepared>> {
  const { resource } = write;
  const old = readAs(resource, entry);
  await nextStage;
  const next = await amongVersions(write, () => plan.next(old));
  if (!next.ok) return next;
  let object = next.value;
  const refused =
    checkNameAgrees(object, write) ??
    placeInNamespace(object, write) ??
    checkUid(write, plan, old) ??
    (await admitUpdate(write, plan.view, object, old)) ??
    checkRevision(write, object, entry);
  if (refused) return { ok: false, failure: refused };
  settleEmptyLists(resource.emptyLists, object);
  dedupOwnerReferences(object, write.warn, ' after mutating admission happens');
  object = keepUnwritable(write, object, old);
  keepSystemFields(object, old);
  dropDisabledFields(write, object, old);
  resource.strategy?.prepareForUpdate?.(object, old, strategyContext(write));
  return { ok: true, value: { object, old } };
}

/** Resolves to why the object, which is complete but for its generation and the times of its owners, is refused. */
async function checkUpdate(
  write: Write,
  plan: UpdatePlan,
  object: ApiObject,
  old: ApiObject,
): Promise<Failure | undefined> {
  countGeneration(write.resource, object, old);
  object.metadata.managedFields = keepTimesOfNoOp(old, object, object.metadata.managedFields);
  const refused =
    validateUpdate(write, object, old) ??
    (await validateAdmission(write, 'UPDATE', seenAs(plan.view, { object, oldObject: old })));
  if (refused) return refused;
  for (const warning of write.resource.strategy?.warnings?.(object, old) ?? []) write.warn(warning);
  return undefined;
}

async function admitUpdate(
  write: Write,
  view: AdmittedView | undefined,
  object: ApiObject,
  oldObject: ApiObject,
): Promise<Failure | undefined> {
  const seen = seenAs(view, { object, oldObject });
  const refused = await admit(write, 'UPDATE', seen);
  if (!refused) view?.into(object, seen.object);
  return refused;
}

function seenAs<T extends Readonly<Record<string, ApiObject>>>(view: AdmittedView | undefined, objects: T): T;
function seenAs(view: AdmittedView | undefined, objects: Readonly<Record<string, ApiObject>>) {
  if (!view) return objects;
  return Object.fromEntries(Object.entries(objects).map(([name, object]) => [name, view.of(object)]));
}

function keepUnwritable(write: Write, object: ApiObject, old: ApiObject): ApiObject {
  if (write.subresource) return takeOnlySubresourceFields(write.subresource, object, old);
  keepSubresourceFields(write.resource.module, object, old);
  return object;
}

/** Whether an object names the revision that it is meant to follow. */
export const isPinned = ({ metadata: { resourceVersion } }: ApiObject): boolean =>
  resourceVersion !== undefined && resourceVersion !== '' && resourceVersion !== '0';

/** The uid that a replacement names, where it does, must be the stored object's. In a patch it is a field like others. */
const checkUid = (write: Write, { uid }: UpdatePlan, old: ApiObject): Failure | undefined =>
  !uid || uid === old.metadata.uid ? undefined : uidConflict(write, uid, old.metadata.uid ?? '');

function uidConflict(write: Write, uid: string, found: string): Failure {
  const { group, names } = write.resource.module;
  const path = [group, names.plural, write.namespace, write.name].filter((part) => part !== '').join('/');
  return conflict(
    group,
    names.plural,
    write.name,
    `StorageError: invalid object, Code: 4, Key: /registry/${path}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${found}`,
  );
}

function checkRevision(write: Write, object: ApiObject, entry: Entry): Failure | undefined {
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
  return object.metadata.resourceVersion === current ? undefined : modifiedFailure(write);
}

async function commitUpdate(
  write: Write,
  entry: Entry,
  { object, old }: Prepared,
  assignment: Assignment,
): Promise<Result<Outcome> | 'lost'> {
  const { resource } = write;
  const { guards } = assignment;
  const removed = isFinished(write, object);
  if (write.dryRun) return { ok: true, value: { object: asAnswered(resource, object), created: false, removed } };
  // Watchers of a removal see the last state that was stored, since this update itself never is.
  const next = removed ? undefined : await encodeForWrite(resource, object);
  if (next?.ok === false) return next;
  const change = next ? { next: next.value } : {};
  const commit = await commitWithPreconditions(write, { key: entry.key, expected: entry.revision, ...change, guards });
  if (commit.outcome === 'conflict') return 'lost';
  if (commit.outcome === 'failed') return { ok: false, failure: commit.failure };
  if (!removed) assignment.keep();
  if (resource.strategy?.allocation?.records) await giveUpValues(write, old, removed ? undefined : object);
  // The last update of an object in deletion is answered with the version it had, since that update was never stored.
  if (removed) return { ok: true, value: { object, created: false, removed } };
  const unread = await prepareToRead(resource, [commit.entry]);
  if (unread) return { ok: false, failure: unread };
  object.metadata.resourceVersion = String(commit.entry.revision);
  return { ok: true, value: { object, entry: commit.entry, created: false, removed } };
}

/** Whether the last thing that held an object in deletion has just been taken away. */
function isFinished(write: Write, object: ApiObject): boolean {
  const { deletionTimestamp, finalizers } = object.metadata;
  if (deletionTimestamp === undefined || (finalizers && finalizers.length > 0)) return false;
  return write.resource.strategy?.mayRemove?.(object) ?? true;
}

/** Nothing to update: a conflict for a client that named the object's uid. */
function missing(write: Write, { uid }: UpdatePlan): Failure {
  const { module } = write.resource;
  return uid ? uidConflict(write, uid, '') : notFound(module.group, module.names.plural, write.name);
}

const modifiedFailure = ({ resource: { module }, name }: Write): Failure =>
  conflict(module.group, module.names.plural, name);
