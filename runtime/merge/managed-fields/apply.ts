/** Server-side apply: merges a configuration into the live object and keeps account of who owns what. */
import type { ApiObject, JsonObject, ObjectMeta, Result } from '../../contract/index.js';
import { clone } from '../../objects/clone.js';
import { getOwn, isObject, objectAt, setOwn, stringAt } from '../../objects/guards.js';
import { parseGroupVersion } from '../../objects/gvk.js';
import { finish, type Steps } from '../../objects/turns.js';
import { compare } from '../typed/compare.js';
import { inOrderOf } from '../typed/item-order.js';
import { findTypeProblems } from '../typed/validate.js';
import { type ApplyOutcome, type Configuration, mergeConfiguration } from './apply-configuration.js';
import { conflictFailure } from './conflicts.js';
import { decodeStored, encodeManagersInSteps } from './entries.js';
import { type ClientSideApply, foreignConflicts, lastAppliedFields, withLastApplied } from './last-applied.js';
import type { Managers } from './managers.js';
import { initialOf, recordUpdate, type Writer } from './update.js';
import { VersionedChange } from './versioned-change.js';
import { type TypedVersion, VersionedObjects, type VersionSource } from './versions.js';

/** An apply request, authorized and decoded. */
export interface ApplyRequest extends TypedVersion, Writer {
  /** The stored object in the version of the request; absent where the apply creates it. */
  readonly live?: ApiObject | undefined;
  /** The configuration as decoded, unchecked. Its kind and name are the caller's to check. */
  readonly applied: JsonObject;
  /** The version of the request. */
  readonly apiVersion: string;
  /** Takes fields from other managers instead of conflicting with them. */
  readonly force: boolean;
  /** The resource's other versions; not needed where it has none. */
  readonly versions?: VersionSource | undefined;
  /** The manager whose client-side configurations count as its own; none where absent. */
  readonly clientSide?: ClientSideApply | undefined;
}

/** The manager that gets what an object consists of when it is first applied to and has no owners. */
const BEFORE_FIRST_APPLY = 'before-first-apply';

/**
 * Applies a configuration: returns the merged object with its `managedFields`, before defaults, admission and validation.
 * If nothing but the order of items changes, `inOrderOf` says which order they get. Fails with `BadRequest` where it is of another version, has managedFields, or does not fit
 * its type, and with `Conflict` where it would change what others own. Nothing given is changed in place; the result
 * shares with the live object and the configuration what was not merged. Costs a few visits of both objects, and of
 * what the managers own.
 */
export const applyConfiguration = (request: ApplyRequest): Result<ApiObject> => finish(applyInSteps(request));

/** The same in steps. */
export function* applyInSteps(request: ApplyRequest): Steps<Result<ApiObject>> {
  const refused = checkConfiguration(request);
  if (refused !== undefined) return refused;
  // A new object is changed in place later, and must not be the plan's own.
  const live = request.live ?? clone(initialOf(request, identityOf(request.applied)));
  const objects = new VersionedObjects(request.apiVersion, request, request.versions);
  const configuration = { objects, live, applied: request.applied, writer: request, force: request.force };
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

function checkConfiguration(request: ApplyRequest): Result<never> | undefined {
  const { applied, apiVersion } = request;
  const given = stringAt(applied, 'apiVersion');
  if (given !== apiVersion) {
    // A text that cannot be a version is taken for none.
    const told = parseGroupVersion(given) === undefined ? '' : given;
    return badRequest(
      `Incorrect version specified in apply patch. Specified patch version: ${told}, expected: ${apiVersion}`,
    );
  }
  const entries = getOwn(objectAt(applied, 'metadata') ?? {}, 'managedFields');
  if (entries !== undefined && entries !== null) return badRequest('metadata.managedFields must be nil');
  const problems = findTypeProblems(request.plan.root, applied);
  if (problems.length === 0) return undefined;
  const text =
    problems.length === 1 ? problems[0] : ['errors:', ...problems.map((problem) => `  ${problem}`)].join('\n');
  return badRequest(`failed to create typed patch object (${describe(applied)}): ${text}`);
}

function badRequest(message: string): Result<never> {
  return { ok: false, failure: { reason: 'BadRequest', message } };
}

/** `namespace/name; group/version, Kind=Kind`, as messages name a configuration. */
function describe(applied: JsonObject): string {
  const metadata = objectAt(applied, 'metadata');
  const version = stringAt(applied, 'apiVersion');
  const name = `${stringAt(metadata, 'namespace')}/${stringAt(metadata, 'name')}`;
  return `${name}; ${version.includes('/') ? version : `/${version}`}, Kind=${stringAt(applied, 'kind')}`;
}

function identityOf(applied: JsonObject): ApiObject {
  return { apiVersion: stringAt(applied, 'apiVersion'), kind: stringAt(applied, 'kind'), metadata: {} };
}

/** The managers of the live object; where it has none, one that owns all there is. */
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
  // Its metadata was made here, and is nobody else's yet.
  if (entries !== undefined) object.metadata.managedFields = entries;
  return object;
}

/** The live object where no value changes, with what the merge made of its metadata, and of the order of its items. */
function unchanged({ plan, applied }: ApplyRequest, live: ApiObject, merged: JsonObject): JsonObject {
  const reordered = merged === live ? live : inOrderOf(plan.root, live, applied);
  return { ...(isObject(reordered) ? reordered : live), metadata: merged.metadata };
}

/**
 * The merged root as an object of the API, without the entries of owners. Its metadata is a new object without nulls,
 * which no field there may be.
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
