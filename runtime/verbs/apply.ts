/** The verb `apply`: a client states what it wants of an object, and the server merges it and keeps account of owners. */
import { jsonTypeOf } from '../codec/json.js';
import type { ApiObject, Failure, JsonObject, Result } from '../contract/index.js';
import { applyConfiguration } from '../merge/index.js';
import { isObject } from '../objects/guards.js';
import { badRequest, conflict } from '../objects/status.js';
import { runCreate } from '../pipeline/create.js';
import { notOfResource, toObject } from '../pipeline/decode/decode.js';
import { keepingNulls } from '../pipeline/decode/kept-nulls.js';
import type { Outcome } from '../pipeline/outcome.js';
import { ownershipOf } from '../pipeline/stages/ownership.js';
import { checkNameAgrees } from '../pipeline/stages/system-fields.js';
import { draftOf, runUpdate } from '../pipeline/update.js';
import type { Write } from '../pipeline/write.js';
import type { ApiResponse } from './api-request.js';
import { headerOf } from './body/body.js';
import { reportFields, unknownOf } from './body/field-validation.js';
import { fresh } from './body/per-attempt.js';
import { decodeYamlAgain, decodeYamlBody } from './body/yaml-body.js';
import { readRepresentation } from './representation/negotiate.js';
import { answerFailure, answerOutcome } from './responses.js';
import type { VerbRequest } from './verb-request.js';
import { readWriteOptions, type WriteOptions } from './write-options.js';
import { toWrite } from './write-request.js';

/** The media type of configurations, which may be JSON too. */
export const applyMediaType = 'application/apply-patch+yaml';

/** Whether a PATCH is an apply. */
export function isApply(verb: VerbRequest): boolean {
  const contentType = headerOf(verb, 'content-type') ?? '';
  if (contentType === applyMediaType) return true;
  const [mediaType = ''] = contentType.split(';');
  return mediaType.trim() === applyMediaType;
}

/** An apply starts again this often when others keep being faster. */
const lostRaces = 5;

/** Applies the configuration in the body. */
export async function apply(verb: VerbRequest): Promise<ApiResponse> {
  const representation = readRepresentation(verb, 'object');
  if (!representation.ok) return answerFailure(verb, representation.failure);
  const bytes = await verb.request.readBody(verb.services.maxBodyBytes);
  if (!bytes.ok) return answerFailure(verb, bytes.failure);
  const options = readWriteOptions(verb, 'ApplyOptions');
  if (!options.ok) return answerFailure(verb, options.failure);
  const applied = await readConfiguration(verb, bytes.value, options.value);
  if (!applied.ok) return answerFailure(verb, applied.failure);
  const outcome = await runApply(verb, applied.value, options.value);
  return outcome.ok ? answerOutcome(verb, representation.value, outcome.value) : answerFailure(verb, outcome.failure);
}

/**
 * Reads the configuration in a body; it must be of the resource's kind. Each attempt takes it anew: what it puts into the
 * object is changed there.
 */
export async function readConfiguration(
  verb: VerbRequest,
  bytes: Uint8Array,
  options: WriteOptions,
): Promise<Result<() => JsonObject>> {
  const decoded = await decodeYamlBody(bytes);
  if (!decoded.ok) return { ok: false, failure: unread(`error converting YAML to JSON: ${decoded.problem}`) };
  // Nothing at all, or a written null, is a configuration without fields.
  const value = decoded.value ?? {};
  if (!isObject(value)) {
    const found = jsonTypeOf(value);
    const problem = `json: cannot unmarshal ${found} into Go value of type map[string]interface {}`;
    return { ok: false, failure: unread(`error unmarshaling JSON: while decoding JSON: ${problem}`) };
  }
  const unkind = kindProblem(verb, value);
  if (unkind) return { ok: false, failure: unkind };
  const { remarks } = decoded;
  if (remarks.length > 0 && options.fieldValidation === 'Strict') return { ok: false, failure: repeated(remarks) };
  reportFields(verb, options.fieldValidation, remarks);
  return { ok: true, value: fresh(value, () => configurationAgain(bytes)) };
}

/** The configuration in a body that has been read before. */
function configurationAgain(bytes: Uint8Array): JsonObject {
  const decoded = decodeYamlAgain(bytes);
  const value = decoded.ok ? (decoded.value ?? {}) : undefined;
  if (isObject(value)) return value;
  throw new Error('a configuration reads differently the second time');
}

const unread = (problem: string): Failure => badRequest(`error decoding YAML: ${problem}`);

/** The reader of configurations has words of its own for fields that are said twice. */
const repeated = (remarks: readonly string[]): Failure =>
  badRequest(
    `error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  ${remarks.join('\n  ')}`,
  );

/** A configuration says its kind, since its fields mean nothing without it. That its version is right is checked later. */
function kindProblem({ resource }: VerbRequest, { apiVersion, kind }: JsonObject): Failure | undefined {
  const expected = resource.module.names.kind;
  if (apiVersion !== resource.apiVersion || kind === expected) return undefined;
  const found = typeof kind === 'string' && kind !== '' ? `is of kind ${JSON.stringify(kind)}` : 'says no kind';
  return badRequest(`failed to create typed patch object: the configuration ${found}, and must be of ${expected}`);
}

function runApply(verb: VerbRequest, applied: () => JsonObject, options: WriteOptions): Promise<Result<Outcome>> {
  const write = toWrite(verb, options);
  const next = (current?: ApiObject) =>
    mergedConfiguration(verb, write, applied(), options, current && draftOf(current));
  const create = async (): Promise<Result<Outcome>> => {
    const object = next();
    if (!object.ok) return object;
    const { metadata } = object.value;
    metadata.name ||= write.name;
    // Only of an object that exists can a configuration expect a revision.
    metadata.resourceVersion = undefined;
    const refused = checkNameAgrees(object.value, write) ?? foreignUid(verb, metadata.uid);
    return refused ? { ok: false, failure: refused } : runCreate(write, object.value, { owned: true, unasked: true });
  };
  return runUpdate(write, {
    next,
    ...(write.subresource ? {} : { create }),
    uid: '',
    pinned: false,
    attempts: lostRaces,
  });
}

/** A configuration that names a uid is meant for an object that exists. */
function foreignUid({ resource: { module }, name }: VerbRequest, uid: string | undefined): Failure | undefined {
  if (!uid) return undefined;
  const problem = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
  return conflict(module.group, module.names.plural, name, problem);
}

/** The live object with the configuration merged in, or the object that the configuration creates. */
export function mergedConfiguration(
  verb: VerbRequest,
  write: Write,
  applied: JsonObject,
  options: WriteOptions,
  live: ApiObject | undefined,
): Result<ApiObject> {
  const { plan, manager, apiVersion, subresource, now, resetFields, versions } = ownershipOf(write);
  const result = applyConfiguration({
    plan,
    manager,
    apiVersion,
    subresource,
    now,
    resetFields,
    versions,
    live,
    applied,
    force: options.force,
    clientSide: verb.services.clientSideApply,
  });
  if (!result.ok) return result;
  const { metadata } = result.value.object;
  const { managedFields } = metadata;
  // They are as the server writes them, and need no reading.
  metadata.managedFields = undefined;
  const merged = result.value.object;
  const decoded = keepingNulls(verb.resource, merged, () => toObject(verb.resource, merged, live?.metadata));
  if (!decoded.ok) return { ok: false, failure: notOfResource(verb.resource, decoded.problem) };
  const { object, unknownFields } = decoded.value;
  const refused = reportFields(verb, options.fieldValidation, unknownOf(verb, unknownFields));
  if (refused) return { ok: false, failure: refused };
  object.metadata.managedFields = managedFields;
  return { ok: true, value: object };
}
