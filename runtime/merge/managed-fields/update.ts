/** Field ownership of creates, updates and patches: who changes a field owns it. */
import type { ApiObject, JsonValue, ManagedFieldsEntry, Result } from '../../contract/index.js';
import { equal } from '../../objects/equality.js';
import { isObject } from '../../objects/guards.js';
import { byCodePoint } from '../../objects/printing.js';
import { finish, type Steps } from '../../objects/turns.js';
import {
  difference,
  EMPTY,
  type FieldSet,
  intersection,
  isEmpty,
  recursiveDifference,
  union,
  unionAll,
} from '../field-set.js';
import type { TypedPlan } from '../type-plan.js';
import { compare, isSame } from '../typed/field-sets.js';
import { reconcile } from '../typed/merge.js';
import {
  at,
  decodeSent,
  decodeStored,
  encodeManagersInSteps,
  type ManagerRecord,
  type Managers,
  managerKey,
  putRecord,
  resetFieldsOf,
  strangeVersion,
  type TypedVersion,
  VersionedChange,
  VersionedObjects,
  type VersionedWrite,
  withFields,
} from './entries.js';

/** The manager who writes, and the time. */
export interface Writer {
  /** The field manager's name. */
  readonly manager: string;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** Time of the write, RFC 3339 seconds in UTC. */
  readonly now: string;
}

/** A write as ownership sees it. */
export interface WriteRequest extends TypedVersion, VersionedWrite, Writer {
  /** The stored object in the write's version; absent for a create. */
  readonly live?: ApiObject | undefined;
  /** The object to store, with the `managedFields` that the client sent, if any. */
  readonly next: ApiObject;
}

/**
 * Returns the `managedFields` of the object after the write, or `undefined` for none. The writer becomes the only owner
 * of all that differs from the live object. An object without entries gets none before the first apply. A custom
 * resource loses its entries if one is of a version that no longer exists. If nothing changed, returns the same entries
 * of the live object, times included. Changes nothing in place. Costs one comparison of the two objects; the managers'
 * fields are only decoded if something changed.
 */
export const updateManagedFields = (write: WriteRequest): ManagedFieldsEntry[] | undefined =>
  finish(updateInSteps(write));

/** Updates the managers in steps. */
export function* updateInSteps(write: WriteRequest): Steps<ManagedFieldsEntry[] | undefined> {
  const { live } = write;
  const start = startingManagers(live, write.next, write.subresource);
  if (live !== undefined && start.from === 'stored' && start.entries.length === 0) return undefined;
  const owners = start.from === 'stored' ? start.entries : start.from === 'client' ? start.managers.values() : [];
  if (strangeVersion(write, owners) !== undefined) return undefined;
  const old = live ?? initialOf(write, write.next);
  const own = compare(write.plan.root, old, write.next);
  if (live !== undefined && isSame(own)) {
    if (start.from === 'reset') return undefined;
    if (start.from === 'stored') return live.metadata.managedFields;
  }
  yield;
  const managers = managersOf(start);
  const objects = new VersionedObjects(write.apiVersion, write, write.versions);
  yield;
  recordUpdate(managers, new VersionedChange(objects, old, write.next, own), write);
  yield;
  capUpdaters(managers);
  return yield* encodeManagersInSteps(managers, live?.metadata.managedFields);
}

/** The managers before a write: entries that are not decoded yet, managers that the client sent, or none after a reset. */
type StartingManagers =
  | { readonly from: 'stored'; readonly entries: readonly ManagedFieldsEntry[] }
  | { readonly from: 'client'; readonly managers: Managers }
  | { readonly from: 'reset' };

/**
 * Returns the managers that a create, update or patch starts from. Entries in the body replace the stored ones, but not
 * through a subresource, not if they are broken, and not without a list: clients that do not know the field must not
 * lose it. A list of one empty object resets all ownership; an empty list resets nothing.
 */
function startingManagers(live: ApiObject | undefined, next: ApiObject, subresource: string): StartingManagers {
  const stored = live?.metadata.managedFields ?? [];
  const fromStored = { from: 'stored', entries: stored } as const;
  const sent: JsonValue = next.metadata.managedFields ?? null;
  if (subresource !== '' || sent === null || sent === stored || equal(sent, stored)) return fromStored;
  if (isResetRequest(sent)) return { from: 'reset' };
  const managers = decodeSent(sent);
  return managers === undefined || managers.size === 0 ? fromStored : { from: 'client', managers };
}

/** Returns whether the value is a list of exactly one empty object. */
function isResetRequest(sent: JsonValue): boolean {
  if (!Array.isArray(sent) || sent.length !== 1) return false;
  const [only] = sent;
  return isObject(only) && Object.values(only).every((member) => member === undefined || member === null);
}

function managersOf(start: StartingManagers): Managers {
  if (start.from === 'reset') return new Map();
  return start.from === 'client' ? start.managers : decodeStored(start.entries);
}

const initials = new WeakMap<TypedPlan, ApiObject>();

/** Returns the object as it is before its creation; the same frozen object for all creations of a kind. */
export function initialOf({ plan }: TypedVersion, { apiVersion, kind }: ApiObject): ApiObject {
  const known = initials.get(plan);
  if (known?.apiVersion === apiVersion && known.kind === kind) return known;
  const initial = Object.freeze({ ...plan.initial, apiVersion, kind, metadata: Object.freeze({}) });
  initials.set(plan, initial);
  return initial;
}

/** Moves ownership of what changed to the writer, in place. */
export function recordUpdate(managers: Managers, change: VersionedChange, writer: Writer): void {
  reconcileManagers(managers, change.objects);
  const { apiVersion, version } = change.objects;
  const { manager, subresource } = writer;
  const operation = 'Update';
  const key = managerKey({ manager, operation, apiVersion, subresource });
  takeFromOthers(managers, change, key);
  const previous = managers.get(key);
  const taken = recursiveDifference(change.own.written, resetFieldsOf(version));
  const gone = recursiveDifference(change.own.removed, resetFieldsOf(version));
  const fields = union(difference(previous?.fields ?? EMPTY, gone), taken);
  // If the writer owns the same fields as before, its record is kept and need not be encoded again.
  const record: ManagerRecord =
    previous === undefined
      ? { manager, operation, apiVersion, subresource, time: undefined, fields }
      : withFields(previous, fields);
  if (isEmpty(taken)) putRecord(managers, key, record);
  else managers.set(key, at(record, writer.now));
}

/** Brings all records into the shape of the present schemas, in place. Records of unknown versions stay unchanged. */
export function reconcileManagers(managers: Managers, objects: VersionedObjects): void {
  for (const [key, record] of managers) {
    const version = objects.versionOf(record.apiVersion);
    if (version === undefined) continue;
    const kept = withFields(record, reconcile(version.plan.root, record.fields));
    if (kept !== record) managers.set(key, kept);
  }
}

/**
 * Returns the written fields that managers other than the writer own, by manager key. Fails where a conversion does.
 */
export function findConflicts(
  managers: Managers,
  change: VersionedChange,
  writer: string,
): Result<Map<string, FieldSet>> {
  const conflicts = new Map<string, FieldSet>();
  for (const [key, record] of managers) {
    if (key === writer) continue;
    const seen = change.in(record.apiVersion);
    if (seen.is === 'failed') return { ok: false, failure: seen.failure };
    const lost = seen.is === 'known' ? intersection(record.fields, seen.comparison.written) : undefined;
    if (lost !== undefined && !isEmpty(lost)) conflicts.set(key, lost);
  }
  return { ok: true, value: conflicts };
}

/**
 * Takes what was written or removed from every manager except the writer, in place, and removes managers of unknown
 * versions. A manager keeps its fields if the objects cannot be converted to its version.
 */
export function takeFromOthers(managers: Managers, change: VersionedChange, writer: string | undefined): void {
  for (const [key, record] of managers) {
    if (key === writer) continue;
    const seen = change.in(record.apiVersion);
    if (seen.is === 'no-version') managers.delete(key);
    if (seen.is !== 'known') continue;
    const touched = union(seen.comparison.written, seen.comparison.removed);
    putRecord(managers, key, withFields(record, difference(record.fields, touched)));
  }
}

/** The most updaters with an entry of their own. Appliers are not counted. */
const MAX_UPDATERS = 10;

/** The manager that takes over the fields of the oldest updaters. */
const BUCKET_NAME = 'ancient-changes';

/** Folds the oldest updaters, in place, until there are no more than `MAX_UPDATERS`, one bucket for each version. */
function capUpdaters(managers: Managers): void {
  let excess = -MAX_UPDATERS;
  for (const record of managers.values()) if (record.operation === 'Update') excess++;
  if (excess <= 0) return;
  const oldest = [...managers.entries()].filter(([, { operation }]) => operation === 'Update').sort(byAge);
  const buckets = new Map<string, Bucket>();
  for (const [key, record] of oldest) {
    if (excess <= 0) break;
    const bucketKey = managerKey({ ...record, manager: BUCKET_NAME, subresource: '' });
    const bucket = buckets.get(bucketKey) ?? openBucket(managers, bucketKey);
    buckets.set(bucketKey, bucket);
    if (key === bucketKey) continue;
    // The oldest updater of a version becomes its bucket, so only the later ones reduce the number.
    if (bucket.folded.length > 0) excess--;
    bucket.folded.push([key, record]);
  }
  for (const [bucketKey, bucket] of buckets) if (bucket.folded.length > 1) fold(managers, bucketKey, bucket);
}

/**
 * The fields of the oldest updaters of one version: fields of the existing bucket, and of the updaters that join it.
 */
interface Bucket {
  readonly folded: [key: string, record: ManagerRecord][];
}

function openBucket(managers: Managers, bucketKey: string): Bucket {
  const there = managers.get(bucketKey);
  return { folded: there === undefined ? [] : [[bucketKey, there]] };
}

function byAge([aKey, a]: [string, ManagerRecord], [bKey, b]: [string, ManagerRecord]): number {
  return byCodePoint(a.time ?? '', b.time ?? '') || byCodePoint(aKey, bKey);
}

/** Puts the bucket in the place of the updaters that it takes in, with the time of the newest. */
function fold(managers: Managers, bucketKey: string, { folded }: Bucket): void {
  for (const [key] of folded) managers.delete(key);
  const newest = folded.at(-1)?.[1];
  if (newest === undefined) return;
  const { entry: _, encoded: __, ...record } = newest;
  const fields = unionAll(folded.map(([, { fields: owned }]) => owned));
  managers.set(bucketKey, { ...record, manager: BUCKET_NAME, subresource: '', fields });
}
