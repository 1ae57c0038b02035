/** Field ownership of creates, updates and patches: who changes a field owns it. */
import type { ApiObject, ManagedFieldsEntry } from '../../contract/index.js';
import { finish, type Steps } from '../../objects/turns.js';
import { EMPTY, isEmpty } from '../fieldpath/field-set.js';
import { difference, recursiveDifference, union } from '../fieldpath/set-algebra.js';
import { compare, isSame } from '../typed/compare.js';
import type { TypedPlan } from '../typed/type-plan.js';
import { capUpdaters } from './cap.js';
import { decodeStored, encodeManagersInSteps } from './entries.js';
import { at, type ManagerRecord, type Managers, managerKey, putRecord, withFields } from './managers.js';
import { type StartingManagers, startingManagers } from './sent-entries.js';
import { reconcileManagers, takeFromOthers } from './transfer.js';
import { VersionedChange } from './versioned-change.js';
import { resetFieldsOf, type TypedVersion, VersionedObjects, type VersionSource } from './versions.js';

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
export interface WriteRequest extends TypedVersion, Writer {
  /** The stored object in the write's version; absent for a create. */
  readonly live?: ApiObject | undefined;
  /** The object as it is to be stored, but for `managedFields`, which are still what the client sent, if anything. */
  readonly next: ApiObject;
  /** The version of the write. */
  readonly apiVersion: string;
  /** The resource's other versions; not needed where it has none. */
  readonly versions?: VersionSource | undefined;
}

/**
 * The `managedFields` of the object after the write, `undefined` for none. What differs from the live object becomes
 * the writer's and nobody else's. An object that loses its entries, or never had any, stays without until it is applied
 * to. Where nothing changed, the very entries of the live object are returned, times included. Nothing is
 * changed in place. Costs one comparison of the two objects, and what managers own is read only when something changed.
 */
export const updateManagedFields = (write: WriteRequest): ManagedFieldsEntry[] | undefined =>
  finish(updateInSteps(write));

/** The same in steps. */
export function* updateInSteps(write: WriteRequest): Steps<ManagedFieldsEntry[] | undefined> {
  const { live } = write;
  const start = startingManagers(live, write.next, write.subresource);
  if (live !== undefined && start.from === 'stored' && start.entries.length === 0) return undefined;
  const old = live ?? initialOf(write, write.next);
  const own = compare(write.plan.root, old, write.next);
  if (live !== undefined && start.from === 'stored' && isSame(own)) return live.metadata.managedFields;
  yield;
  const managers = managersOf(start);
  const objects = new VersionedObjects(write.apiVersion, write, write.versions);
  yield;
  recordUpdate(managers, new VersionedChange(objects, old, write.next, own), write);
  yield;
  capUpdaters(managers);
  return yield* encodeManagersInSteps(managers, live?.metadata.managedFields);
}

const managersOf = (start: StartingManagers): Managers =>
  start.from === 'client' ? start.managers : decodeStored(start.entries);

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
  // A writer of what it owned already owns the same, which need not be encoded again.
  const record: ManagerRecord =
    previous === undefined
      ? { manager, operation, apiVersion, subresource, time: undefined, fields }
      : withFields(previous, fields);
  if (isEmpty(taken)) putRecord(managers, key, record);
  else managers.set(key, at(record, writer.now));
}
