/** Removes fields from a merged object that its applier no longer applies and no other manager owns. */
import type { JsonObject, JsonValue, Result } from '../../contract/index.js';
import { isObject } from '../../objects/guards.js';
import type { Steps } from '../../objects/turns.js';
import { difference, EMPTY, type FieldSet, intersection, isEmpty, union } from '../field-set.js';
import type { TypePlan } from '../type-plan.js';
import { toFieldSet } from '../typed/field-sets.js';
import { withNamedFields } from '../typed/object-meta.js';
import { removeItems } from '../typed/remove.js';
import type { ManagerRecord, Managers, VersionedObjects } from './entries.js';

/** A merged object and its pruned state, both in the version `in`. */
interface Pruning {
  readonly in: string;
  readonly merged: JsonObject;
  readonly pruned: JsonObject;
}

/**
 * Removes the fields that the applier owned in its `last` record and no longer owns, unless another manager owns them.
 * The merged object is in the version of the write, and `managers` already has the applier's new record. Removes parts
 * of these fields only if the applier owned them and no other manager does.
 */
export function* prune(
  objects: VersionedObjects,
  merged: JsonObject,
  managers: Managers,
  applier: ManagerRecord,
  last: ManagerRecord | undefined,
): Steps<Result<JsonObject>> {
  if (last === undefined || givesUpNothing(applier, last)) return { ok: true, value: merged };
  const type = objects.versionOf(last.apiVersion)?.plan.root;
  if (type === undefined) return { ok: true, value: merged };
  const start = objects.convert(merged, objects.apiVersion, last.apiVersion);
  if (!start.ok) return start;
  const pruned = without(type, start.value, withNamedFields(type, last.fields));
  yield;
  const kept = yield* addBackOwned(objects, { in: last.apiVersion, merged: start.value, pruned }, managers);
  if (!kept.ok) return kept;
  const final = objects.convert(kept.value.pruned, kept.value.in, last.apiVersion);
  if (!final.ok) return final;
  yield;
  const given = abandoned(type, start.value, final.value, last.fields);
  yield;
  const result = without(type, start.value, given);
  return objects.convert(result, last.apiVersion, objects.apiVersion);
}

/** Returns whether the apply has all fields of the last apply. Most do, and need no pruning. */
function givesUpNothing(applier: ManagerRecord, last: ManagerRecord): boolean {
  return applier.apiVersion === last.apiVersion && isEmpty(difference(last.fields, applier.fields));
}

function without(type: TypePlan, object: JsonObject, set: FieldSet): JsonObject {
  const left: JsonValue = removeItems(type, object, set);
  return isObject(left) ? left : {};
}

/**
 * Puts back the fields of all managers, version by version. Begins with the pruned version, because its paths need no
 * conversion.
 */
function* addBackOwned(objects: VersionedObjects, start: Pruning, managers: Managers): Steps<Result<Pruning>> {
  const owned = new Map<string, FieldSet>([[start.in, EMPTY]]);
  for (const { apiVersion, fields } of managers.values()) {
    owned.set(apiVersion, union(owned.get(apiVersion) ?? EMPTY, fields));
  }
  let pruning = start;
  for (const [apiVersion, fields] of owned) {
    const type = objects.versionOf(apiVersion)?.plan.root;
    if (type === undefined) continue;
    const next = inVersion(objects, pruning, apiVersion);
    if (!next.ok) return next;
    yield;
    pruning = { ...next.value, pruned: addBack(type, next.value, fields) };
  }
  return { ok: true, value: pruning };
}

function inVersion(objects: VersionedObjects, pruning: Pruning, apiVersion: string): Result<Pruning> {
  const merged = objects.convert(pruning.merged, pruning.in, apiVersion);
  if (!merged.ok) return merged;
  const pruned = objects.convert(pruning.pruned, pruning.in, apiVersion);
  return pruned.ok ? { ok: true, value: { in: apiVersion, merged: merged.value, pruned: pruned.value } } : pruned;
}

/** Returns the merged object with only the parts that pruning left and the parts in `owned`. */
function addBack(type: TypePlan, { merged, pruned }: Pruning, owned: FieldSet): JsonObject {
  const kept = union(namedSet(type, pruned), withNamedFields(type, owned));
  return without(type, merged, difference(namedSet(type, merged), kept));
}

/** Returns the removed fields that the applier owned. The other removed fields belong to other managers. */
function abandoned(type: TypePlan, merged: JsonObject, pruned: JsonObject, last: FieldSet): FieldSet {
  const taken = difference(namedSet(type, merged), namedSet(type, pruned));
  return intersection(taken, withNamedFields(type, last));
}

function namedSet(type: TypePlan, object: JsonObject): FieldSet {
  return withNamedFields(type, toFieldSet(type, object));
}
