/** Field ownership for creates, updates and patches: the manager that changes a field owns it. */
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

/** The manager that writes, and the time. */
export interface Writer {
  /** The field manager's name. */
  readonly manager: string;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** The time of the write, RFC 3339 seconds in UTC. */
  readonly now: string;
}

/** The parts of a write that field ownership needs. */
export interface WriteRequest extends TypedVersion, VersionedWrite, Writer {
  /** The stored object in the write's version; absent for a create. */
  readonly live?: ApiObject | undefined;
  /** The object to store, with the `managedFields` that the client sent, if any. */
  readonly next: ApiObject;
}

/**
 * Returns the `managedFields` of the object after the write, or `undefined` for none. The writer becomes the only owner
 * of all fields that differ from the live object. An object without entries gets none before the first apply. A custom
 * resource loses its entries if one is in a version that no longer exists. If nothing changed, returns the entries of
 * the live object with the same times. Changes nothing in place. Costs one comparison of the two objects, and decodes
 * the managers' fields only if something changed.
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

/**
 * The managers before a write: stored entries, not decoded yet; managers that the client sent; or none after a reset.
 */
type StartingManagers =
  | { readonly from: 'stored'; readonly entries: readonly ManagedFieldsEntry[] }
  | { readonly from: 'client'; readonly managers: Managers }
  | { readonly from: 'reset' };

/**
 * Returns the managers that a create, update or patch starts from. Entries in the body replace the stored entries, but
 * not in a write to a subresource, and not if they are broken. A body without entries keeps the stored ones, so clients
 * that do not know the field do not lose it. A list of one empty object removes all managers; an empty list does
 * nothing.
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

/** Returns the object before its creation. All creations of a kind share one frozen object. */
export function initialOf({ plan }: TypedVersion, { apiVersion, kind }: ApiObject): ApiObject {
  const known = initials.get(plan);
  if (known?.apiVersion === apiVersion && known.kind === kind) return known;
  const initial = Object.freeze({ ...plan.initial, apiVersion, kind, metadata: Object.freeze({}) });
  initials.set(plan, initial);
  return initial;
}

/** Makes the writer the owner of all changed fields, in place. */
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
  // If the writer owns the same fields as before, keeps its record, which needs no new encoding.
  const record: ManagerRecord =
    previous === undefined
      ? { manager, operation, apiVersion, subresource, time: undefined, fields }
      : withFields(previous, fields);
  if (isEmpty(taken)) putRecord(managers, key, record);
  else managers.set(key, at(record, writer.now));
}

/** Adapts all records to the current schemas, in place. Records of unknown versions stay unchanged. */
export function reconcileManagers(managers: Managers, objects: VersionedObjects): void {
  for (const [key, record] of managers) {
    const version = objects.versionOf(record.apiVersion);
    if (version === undefined) continue;
    const kept = withFields(record, reconcile(version.plan.root, record.fields));
    if (kept !== record) managers.set(key, kept);
  }
}

/** Returns the written fields that other managers own, by manager key. Fails if a conversion fails. */
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
 * Takes all written and removed fields from every manager except the writer, in place. Removes managers of unknown
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

/** The most updaters with an entry. Appliers do not count. */
const MAX_UPDATERS = 10;

/** The manager that takes over the fields of the oldest updaters. */
const BUCKET_NAME = 'ancient-changes';

/** Joins the oldest updaters into one bucket for each version, in place, until there are at most `MAX_UPDATERS`. */
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
    // The oldest updater of a version becomes its bucket, so only later updaters reduce the number.
    if (bucket.folded.length > 0) excess--;
    bucket.folded.push([key, record]);
  }
  for (const [bucketKey, bucket] of buckets) if (bucket.folded.length > 1) fold(managers, bucketKey, bucket);
}

/** The oldest updaters of one version: the existing bucket, if any, and the updaters that join it. */
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

/** Replaces the updaters in a bucket by one record with all their fields and the time of the newest. */
function fold(managers: Managers, bucketKey: string, { folded }: Bucket): void {
  for (const [key] of folded) managers.delete(key);
  const newest = folded.at(-1)?.[1];
  if (newest === undefined) return;
  const { entry: _, encoded: __, ...record } = newest;
  const fields = unionAll(folded.map(([, { fields: owned }]) => owned));
  managers.set(bucketKey, { ...record, manager: BUCKET_NAME, subresource: '', fields });
}
