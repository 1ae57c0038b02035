/** The merge at the heart of apply: one applier's configuration, the live object, and everybody's ownership. */
import type { JsonObject, Result } from '../../contract/index.js';
import { isObject } from '../../objects/guards.js';
import type { Steps } from '../../objects/turns.js';
import type { FieldSet } from '../fieldpath/field-set.js';
import { equalSets, recursiveDifference } from '../fieldpath/set-algebra.js';
import { compare, excluding, isSame } from '../typed/compare.js';
import { mergeValues } from '../typed/merge.js';
import { toFieldSet } from '../typed/to-field-set.js';
import { at, type ManagerRecord, type Managers, managerKey, putRecord } from './managers.js';
import { prune } from './prune.js';
import { findConflicts, reconcileManagers, takeFromOthers } from './transfer.js';
import type { Writer } from './update.js';
import { VersionedChange } from './versioned-change.js';
import { resetFieldsOf, type VersionedObjects } from './versions.js';

/** One apply. Both objects are in the version of `objects`; the configuration has been checked against its type. */
export interface Configuration {
  readonly objects: VersionedObjects;
  readonly live: JsonObject;
  readonly applied: JsonObject;
  readonly writer: Writer;
  /** Takes fields from other managers instead of conflicting with them. */
  readonly force: boolean;
}

export type ApplyOutcome =
  | { readonly outcome: 'merged'; readonly object: JsonObject; readonly managers: Managers; readonly changed: boolean }
  /** Fields of others that the configuration would change, by manager key, with the managers before the apply. */
  | { readonly outcome: 'conflicts'; readonly conflicts: ReadonlyMap<string, FieldSet>; readonly managers: Managers };

/**
 * Merges a configuration. The applier owns what the configuration says and nothing else; what it said before, says no
 * more, and nobody owns is removed. Fails only where a conversion between versions does. `before` is not changed.
 */
export function* mergeConfiguration(configuration: Configuration, before: Managers): Steps<Result<ApplyOutcome>> {
  const { objects, live, applied, writer } = configuration;
  const { root } = objects.version.plan;
  const managers = new Map(before);
  reconcileManagers(managers, objects);
  const record: ManagerRecord = {
    manager: writer.manager,
    operation: 'Apply',
    apiVersion: objects.apiVersion,
    subresource: writer.subresource,
    time: undefined,
    fields: recursiveDifference(toFieldSet(root, applied), resetFieldsOf(objects.version)),
  };
  yield;
  const key = managerKey(record);
  const last = managers.get(key);
  managers.set(key, record);
  const merged = mergeValues(root, live, applied);
  yield;
  const pruned = yield* prune(objects, isObject(merged) ? merged : {}, managers, record, last);
  if (!pruned.ok) return pruned;
  yield;
  const change = new VersionedChange(objects, live, pruned.value, compare(root, live, pruned.value));
  yield;
  const conflicts = findConflicts(managers, change, key);
  if (!conflicts.ok) return conflicts;
  if (!configuration.force && conflicts.value.size > 0) {
    return { ok: true, value: { outcome: 'conflicts', conflicts: conflicts.value, managers: before } };
  }
  yield;
  takeFromOthers(managers, change, key);
  yield;
  const changed = !isSame(excluding(change.own, resetFieldsOf(objects.version)));
  putRecord(managers, key, timed(record, changed ? writer.now : last?.time, last));
  return { ok: true, value: { outcome: 'merged', object: pruned.value, managers, changed } };
}

/** The applier's record with its time; the last one as far as it says the same. */
function timed(record: ManagerRecord, time: string | undefined, last: ManagerRecord | undefined): ManagerRecord {
  if (last === undefined || !equalSets(last.fields, record.fields)) return at(record, time);
  if (last.time === time && last.apiVersion === record.apiVersion) return last;
  return at(record, time, last.encoded);
}
