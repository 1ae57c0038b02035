/** Decodes: turns a body into an object of the resource, and drops the fields that its schema does not know. */
import { jsonTypeOf } from '../codec/json.js';
import { mismatched, notAnObject, syntaxProblem, unrecognized } from '../codec/undecodable.js';
import type { ApiObject, Failure, JsonObject, JsonValue, ObjectMeta, Result } from '../contract/index.js';
import { clone } from '../objects/clone.js';
import { invalidValue } from '../objects/field-error.js';
import { isObject, objectAt, stringAt } from '../objects/guards.js';
import { formatGroupVersion, groupVersionProblem, parseGroupVersion } from '../objects/names/names.js';
import { badRequest, invalid } from '../objects/status.js';
import {
  applyDefaults,
  overfilled,
  type ResourceNames,
  type ServedResource,
  type VersionCode,
} from '../resource/served-resource.js';
import { fromStored, intoStored } from '../resource/versions.js';
import { readObjectMeta } from './object-meta.js';

/** A decoded object, and the paths of unknown fields to report. */
export interface DecodedObject {
  readonly object: ApiObject;
  readonly unknownFields: readonly string[];
}

/**
 * Turns a value into an object of the resource, in place: checks types, drops and reports unknown fields, fills in
 * defaults, and brings it into canonical form. Check the kind before. A failure has the decoder's words, which
 * `mismatched` completes. `before` is the metadata of a stored object; does not read unchanged parts of it again.
 */
export function toObject(resource: ServedResource, value: JsonObject, before?: ObjectMeta): Decoded {
  return decode(resource, value, before, dropUnknown);
}

/**
 * Does the same, but keeps unknown fields of a custom resource until `dropUnknown`. Objects of other kinds cannot hold
 * such fields.
 */
export function toUnprunedObject(resource: ServedResource, value: JsonObject): Decoded {
  return decode(resource, value, undefined, resource.module.decoding === 'structural' ? () => {} : dropUnknown);
}

/** Drops the fields of an object that its kind does not have, in place. */
export function dropUnknown(resource: VersionCode, object: ApiObject, report: Report = () => {}): void {
  resource.functions.prune(object, report);
}

/** Receives the path of each unknown field. */
type Report = (path: string) => void;

type Decoded = { readonly ok: true; readonly value: DecodedObject } | { readonly ok: false; readonly problem: string };

function decode(
  resource: ServedResource,
  value: JsonObject,
  before: ObjectMeta | undefined,
  drop: typeof dropUnknown,
): Decoded {
  const { functions, module } = resource;
  const unknownFields: string[] = [];
  const report = (path: string): void => {
    unknownFields.push(path);
  };
  const metadata = readObjectMeta(value.metadata, report, before);
  if (!metadata.ok) return module.decoding === 'typed' ? readWithin(resource, metadata) : readAlone(metadata);
  const object: ApiObject = Object.assign(value, {
    kind: module.names.kind,
    apiVersion: resource.apiVersion,
    metadata: metadata.value,
  });
  // The reference decodes and encodes metadata of custom resources once more, which drops an empty list.
  if (module.decoding !== 'typed' && object.metadata.managedFields?.length === 0) delete object.metadata.managedFields;
  const mismatch = functions.normalize?.(object);
  if (mismatch) {
    return { ok: false, problem: mismatch.message };
  }
  drop(resource, object, report);
  if (!applyDefaults(resource, object)) return { ok: false, problem: overfilled };
  const problem = canonicalize(resource, object);
  return problem === undefined ? { ok: true, value: { object, unknownFields } } : { ok: false, problem };
}

interface Unread {
  readonly ok: false;
  readonly problem: string;
}

/** Names `metadata` as a field of its kind, if the metadata is not an object. */
const readWithin = ({ module }: ResourceNames, { problem }: Unread): Unread => ({
  ok: false,
  problem: problem.replace('Go value of type', `Go struct field ${module.names.kind}.metadata of type`),
});

/** Leaves `metadata` out of the field's path, because custom resources read metadata separately. */
const readAlone = ({ problem }: Unread): Unread => ({
  ok: false,
  problem: problem.replace(/(Go struct field \w+)\.metadata\./, '$1.'),
});

/**
 * Brings an object into the form in which the store would return it: with the changes of its kind's strategy and the
 * defaults of the stored version. Returns a problem if the stored version cannot have one of its values.
 */
function canonicalize(resource: ServedResource, object: ApiObject): string | undefined {
  const { stored } = resource;
  resource.handlers?.canonicalize?.(object);
  if (resource === stored || !resource.conversion) return undefined;
  const kept = clone(object);
  let fault: string | undefined;
  const report = (place: string, problem: string): void => {
    fault ??= `${place}: ${problem}`;
  };
  const mismatch = intoStored(resource, stored, kept, report);
  if (mismatch || fault !== undefined) return mismatch?.message ?? fault;
  if (!applyDefaults(stored, kept)) return overfilled;
  stored.handlers?.canonicalize?.(kept);
  fromStored(resource, kept, report);
  if (fault !== undefined) return fault;
  for (const key of Object.keys(object)) if (kept[key] === undefined) delete object[key];
  Object.assign(object, kept);
  return undefined;
}

/** Returns the failure of a body that is not an object of the resource. `written` is the body's own version. */
export const notOfResource = (
  { module, apiVersion }: ResourceNames,
  problem: string,
  written: JsonValue | undefined = apiVersion,
): Failure =>
  mismatched(
    { kind: module.names.kind, version: versionOf(typeof written === 'string' ? written : apiVersion) },
    module.names.kind,
    problem,
  );

/** Returns whether the server knows a kind. So a refusal can distinguish a wrong kind from an unknown one. */
export type KnowsKind = (apiVersion: string, kind: string) => boolean;

/**
 * Checks that a body is an object of the resource's kind and version. If kind or version are empty, they are the
 * resource's own.
 */
export function checkKind(
  resource: ServedResource,
  value: JsonValue,
  bytes: Uint8Array,
  knowsKind: KnowsKind,
): Result<JsonObject> {
  const { kind } = resource.module.names;
  // A body of `null` is an empty object, but an empty body is not an object.
  if (value === null && bytes.length > 0 && resource.module.decoding === 'typed') return { ok: true, value: {} };
  if (!isObject(value)) return { ok: false, failure: unrecognized(kind, noObject(resource, value, bytes), bytes) };
  for (const field of ['apiVersion', 'kind'] as const) {
    const found = value[field];
    if (found === undefined || found === null || typeof found === 'string') continue;
    const problem = `json: cannot unmarshal ${jsonTypeOf(found)} into Go struct field .${field} of type string`;
    return { ok: false, failure: unrecognized(kind, syntaxProblem(problem), bytes) };
  }
  if (resource.module.decoding === 'structural') return ofCustomKind(resource, value, bytes);
  const failure = ofBuiltInKind(resource, value, bytes, knowsKind);
  return failure ? { ok: false, failure } : { ok: true, value };
}

/** Checks the kind of a body. If the kind or the version is missing, it is the resource's own. */
function ofBuiltInKind(
  resource: ServedResource,
  value: JsonObject,
  bytes: Uint8Array,
  knowsKind: KnowsKind,
): Failure | undefined {
  const { names, group } = resource.module;
  const apiVersion = stringAt(value, 'apiVersion');
  const kind = stringAt(value, 'kind') || names.kind;
  if (apiVersion === resource.apiVersion && kind === names.kind) return undefined;
  const sent = parseGroupVersion(apiVersion);
  if (sent === undefined) return unrecognized(names.kind, groupVersionProblem(apiVersion), bytes);
  if (sent.version !== '') return kindMismatch(resource, formatGroupVersion(sent.group, sent.version), kind, knowsKind);
  if (sent.group === '' || sent.group === group) return kindMismatch(resource, resource.apiVersion, kind, knowsKind);
  return mismatched({ kind, version: '' }, names.kind, `Object 'apiVersion' is missing in '${Buffer.from(bytes)}'`);
}

/**
 * Returns the problem of a body that is not an object. An empty body is invalid JSON; a null is a custom resource
 * without a kind.
 */
function noObject({ module }: ResourceNames, value: JsonValue, bytes: Uint8Array): string {
  if (bytes.length === 0) return syntaxProblem('unexpected end of JSON input');
  return module.decoding === 'typed' || value !== null ? notAnObject(value) : "Object 'Kind' is missing in 'null'";
}

/**
 * Checks the kind of a custom resource. The body must have a kind and a version; another kind of the same version is
 * invalid.
 */
function ofCustomKind(resource: ResourceNames, value: JsonObject, bytes: Uint8Array): Result<JsonObject> {
  const { names, group } = resource.module;
  const [apiVersion, kind] = [stringAt(value, 'apiVersion'), stringAt(value, 'kind')];
  if (kind === '') {
    const problem = `Object 'Kind' is missing in '${Buffer.from(bytes).toString()}'`;
    return { ok: false, failure: unrecognized(names.kind, problem, bytes) };
  }
  if (parseGroupVersion(apiVersion) === undefined) {
    return { ok: false, failure: unrecognized(names.kind, groupVersionProblem(apiVersion), bytes) };
  }
  if (apiVersion !== resource.apiVersion) return { ok: false, failure: otherVersion(resource, apiVersion) };
  if (kind === names.kind) return { ok: true, value };
  const name = stringAt(objectAt(value, 'metadata'), 'name');
  const error = invalidValue('kind', kind, `must be ${names.kind}`);
  return { ok: false, failure: invalid(group, kind, name, [error]) };
}

const otherVersion = (resource: ResourceNames, apiVersion: string): Failure =>
  badRequest(
    `the API version in the data (${apiVersion}) does not match the expected API version (${resource.apiVersion})`,
  );

function kindMismatch(
  resource: ServedResource,
  apiVersion: string,
  kind: string,
  knowsKind: KnowsKind,
): Failure | undefined {
  const { names, group } = resource.module;
  if (apiVersion === resource.apiVersion && kind === names.kind) return undefined;
  const known = knowsKind(apiVersion, kind);
  if (known && kind === names.kind) {
    return otherVersion(resource, apiVersion);
  }
  const version = versionOf(apiVersion);
  const problem = known
    ? `converting (${version}.${kind}) to (${group.split('.')[0] || 'core'}.${names.kind}): unknown conversion`
    : `no kind "${kind}" is registered for version "${apiVersion}"`;
  return mismatched({ kind, version }, names.kind, problem);
}

const versionOf = (apiVersion: string): string => parseGroupVersion(apiVersion)?.version ?? '';
