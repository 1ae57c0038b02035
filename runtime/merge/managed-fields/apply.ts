/** Server-side apply: merges a configuration into the live object, and records which manager owns which fields. */
import type { ApiObject, JsonObject, ObjectMeta, Result } from '../../contract/index.js';
import { clone } from '../../objects/clone.js';
import { badRequest } from '../../objects/failures.js';
import { getOwn, isObject, objectAt, setOwn, stringAt } from '../../objects/guards.js';
import { parseGroupVersion } from '../../objects/names/names.js';
import { finish, type Steps } from '../../objects/turns.js';
import { equalSets, type FieldSet, recursiveDifference } from '../field-set.js';
import { compare, excluding, isSame, toFieldSet } from '../typed/field-sets.js';
import { inOrderOf } from '../typed/item-order.js';
import { mergeValues } from '../typed/merge.js';
import { findTypeProblems } from '../typed/validate.js';
import { conflictFailure } from './conflicts.js';
import {
  at,
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
} from './entries.js';
import { type ClientSideApply, foreignConflicts, lastAppliedFields, withLastApplied } from './last-applied.js';
import { prune } from './prune.js';
import { findConflicts, initialOf, reconcileManagers, recordUpdate, takeFromOthers, type Writer } from './update.js';

/** An apply request, authorized and decoded. */
export interface ApplyRequest extends TypedVersion, VersionedWrite, Writer {
  /** The stored object in the version of the request; absent if the apply creates it. */
  readonly live?: ApiObject | undefined;
  /** The decoded configuration, not checked yet. The caller checks its kind and name. */
  readonly applied: JsonObject;
  /** Takes fields from other managers instead of conflicting with them. */
  readonly force: boolean;
  /** The manager that also owns the fields of client-side applies; by default none. */
  readonly clientSide?: ClientSideApply | undefined;
}

/** From the first apply on, the manager of all fields of an object that had no managers. */
const BEFORE_FIRST_APPLY = 'before-first-apply';

/**
 * Applies a configuration. Returns the merged object with its `managedFields`, before defaults, admission and
 * validation. If only the order of items changes, `inOrderOf` decides the order. Fails with `BadRequest` if the
 * configuration is in another version, has managedFields, or does not fit its type. Fails with `Conflict` if it would
 * change fields of other managers. Fails with `Unknown` if a custom resource has managers of a version that no longer
 * exists. Does not change its arguments; the result shares unmerged parts with the live object and the configuration.
 * Visits both objects and the managers' fields a few times.
 */
export const applyConfiguration = (request: ApplyRequest): Result<ApiObject> => finish(applyInSteps(request));

/** Applies a configuration in steps. */
export function* applyInSteps(request: ApplyRequest): Steps<Result<ApiObject>> {
  const problem = problemOf(request);
  if (problem !== undefined) return { ok: false, failure: badRequest(problem) };
  // Copies the initial object of the plan, because later steps change it in place.
  const live = request.live ?? clone(initialOf(request, identityOf(request.applied)));
  const objects = new VersionedObjects(request.apiVersion, request, request.versions);
  const configuration = { objects, live, applied: request.applied, writer: request, force: request.force };
  const stranger = strangeVersion(request, live.metadata.managedFields ?? []);
  if (stranger !== undefined) return noSuchVersion(stranger);
  const before = managersBefore(request, objects);
  yield;
  const merged = yield* mergeOverClientSide(request, configuration, before);
  if (!merged.ok) return merged;
  if (merged.value.outcome === 'conflicts') {
    return { ok: false, failure: conflictFailure(merged.value.conflicts, merged.value.managers) };
  }
  yield;
  return { ok: true, value: yield* outcome(request, live, merged.value) };
}

function problemOf(request: ApplyRequest): string | undefined {
  const { applied, apiVersion } = request;
  const given = stringAt(applied, 'apiVersion');
  if (given !== apiVersion) {
    // A text that is not a valid version counts as absent.
    const told = parseGroupVersion(given) === undefined ? '' : given;
    return `Incorrect version specified in apply patch. Specified patch version: ${told}, expected: ${apiVersion}`;
  }
  const entries = getOwn(objectAt(applied, 'metadata') ?? {}, 'managedFields');
  if (entries !== undefined && entries !== null) return 'metadata.managedFields must be nil';
  const problems = findTypeProblems(request.plan.root, applied);
  if (problems.length === 0) return undefined;
  const text =
    problems.length === 1 ? problems[0] : ['errors:', ...problems.map((problem) => `  ${problem}`)].join('\n');
  return `failed to create typed patch object (${describe(applied)}): ${text}`;
}

/**
 * Refuses an apply if a manager has fields in a version that no longer exists. Other writes remove all managers
 * instead.
 */
function noSuchVersion(apiVersion: string): Result<never> {
  const message = `request to convert CR to an invalid group/version: ${apiVersion}`;
  return { ok: false, failure: { reason: 'Unknown', message } };
}

/** Returns `namespace/name; group/version, Kind=Kind`, the name of a configuration in messages. */
function describe(applied: JsonObject): string {
  const metadata = objectAt(applied, 'metadata');
  const version = stringAt(applied, 'apiVersion');
  const name = `${stringAt(metadata, 'namespace')}/${stringAt(metadata, 'name')}`;
  return `${name}; ${version.includes('/') ? version : `/${version}`}, Kind=${stringAt(applied, 'kind')}`;
}

function identityOf(applied: JsonObject): ApiObject {
  return { apiVersion: stringAt(applied, 'apiVersion'), kind: stringAt(applied, 'kind'), metadata: {} };
}

/** Returns the managers of the live object. If it has none, one manager owns all its fields. */
function managersBefore(request: ApplyRequest, objects: VersionedObjects): Managers {
  const { live, plan } = request;
  const managers = decodeStored(live?.metadata.managedFields ?? []);
  if (live === undefined || managers.size > 0) return managers;
  const initial = initialOf(request, live);
  const change = new VersionedChange(objects, initial, live, compare(plan.root, initial, live));
  recordUpdate(managers, change, { ...request, manager: BEFORE_FIRST_APPLY });
  return managers;
}

function* mergeOverClientSide(
  request: ApplyRequest,
  configuration: Configuration,
  before: Managers,
): Steps<Result<ApplyOutcome>> {
  const merged = yield* mergeConfiguration(configuration, before);
  const { clientSide, live } = request;
  if (!merged.ok || merged.value.outcome === 'merged' || clientSide?.manager !== request.manager || !live)
    return merged;
  const own = lastAppliedFields(request.plan.root, live, clientSide.annotation);
  const conflicts = foreignConflicts(merged.value.conflicts, own);
  if (conflicts === undefined) return yield* mergeConfiguration({ ...configuration, force: true }, before);
  return { ok: true, value: { ...merged.value, conflicts } };
}

function* outcome(
  request: ApplyRequest,
  live: ApiObject,
  merged: ApplyOutcome & { outcome: 'merged' },
): Steps<ApiObject> {
  const { clientSide, manager } = request;
  const plain = asApiObject(
    merged.changed || request.live === undefined ? merged.object : unchanged(request, live, merged.object),
    live,
  );
  const object =
    clientSide?.manager === manager ? withLastApplied(plain, request.applied, clientSide.annotation) : plain;
  const stored = request.live?.metadata.managedFields;
  const entries = yield* encodeManagersInSteps(merged.managers, stored);
  // This function made the metadata, so it may change it.
  if (entries !== undefined) object.metadata.managedFields = entries;
  return object;
}

/** Returns the live object of an apply that changes no values, with the merged metadata and order of items. */
function unchanged({ plan, applied }: ApplyRequest, live: ApiObject, merged: JsonObject): JsonObject {
  const reordered = merged === live ? live : inOrderOf(plan.root, live, applied);
  return { ...(isObject(reordered) ? reordered : live), metadata: merged.metadata };
}

/**
 * Makes an API object from the merged root, without managedFields. Its metadata is a new object without nulls, because
 * fields of metadata cannot be null.
 */
function asApiObject(object: JsonObject, live: ApiObject): ApiObject {
  const merged = objectAt(object, 'metadata') ?? {};
  const metadata: ObjectMeta = {};
  for (const key of Object.keys(merged)) {
    const value = merged[key];
    if (value === undefined || value === null || key === 'managedFields') continue;
    setOwn(metadata, key, value);
  }
  return { ...object, apiVersion: live.apiVersion, kind: live.kind, metadata };
}

// The central merge of apply: the configuration of one applier, the live object, and the fields of all managers.

/** One apply. Both objects are in the version of `objects`. The configuration fits its type. */
interface Configuration {
  readonly objects: VersionedObjects;
  readonly live: JsonObject;
  readonly applied: JsonObject;
  readonly writer: Writer;
  /** Takes fields from other managers instead of conflicting with them. */
  readonly force: boolean;
}

type ApplyOutcome =
  | { readonly outcome: 'merged'; readonly object: JsonObject; readonly managers: Managers; readonly changed: boolean }
  /**
   * Fields of other managers that the configuration would change, by manager key, and the managers before the apply.
   */
  | { readonly outcome: 'conflicts'; readonly conflicts: ReadonlyMap<string, FieldSet>; readonly managers: Managers };

/**
 * Merges a configuration. The applier then owns exactly the fields of the configuration. Removes fields that the
 * configuration no longer has and that no other manager owns. Fails only if a conversion between versions fails. Does
 * not change `before`.
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

/** Returns the applier's record with a time, or the last record if nothing changed. */
function timed(record: ManagerRecord, time: string | undefined, last: ManagerRecord | undefined): ManagerRecord {
  if (last === undefined || !equalSets(last.fields, record.fields)) return at(record, time);
  if (last.time === time && last.apiVersion === record.apiVersion) return last;
  return at(record, time, last.encoded);
}
