/** The verb `apply`: merges the fields that a client wants into an object, and records the client as their owner. */
import { jsonTypeOf } from '../codec/json.js';
import type { ApiObject, Failure, JsonObject, JsonValue, Result } from '../contract/index.js';
import { applyInSteps, type ClientSideApply } from '../merge/index.js';
import { isObject } from '../objects/guards.js';
import { parseGroupVersion } from '../objects/names/names.js';
import { badRequest, conflict } from '../objects/status.js';
import { inTurns, nextTurn, type Steps } from '../objects/turns.js';
import { type ApiResponse, headerOf } from '../request/api-request.js';
import { countBody, decodeYamlAgain, decodeYamlBody, largeBytes } from '../request/body.js';
import { readForm } from '../request/representation/negotiate.js';
import type { Representation } from '../request/representation/representation.js';
import { answerFailure, answerOutcome, type WriteOutcome } from '../request/responses.js';
import type { VerbRequest } from '../request/verb-request.js';
import type { ServedResource } from '../resource/served-resource.js';
import { toWrite } from './begin.js';
import { notOfResource, toObject } from './decode.js';
import { listSizeFailure, reportFields, unknownOf } from './decode-object.js';
import { fresh, runCreate, runUpdate } from './run.js';
import { keepingNulls } from './stages/fields.js';
import { OwnedApply } from './stages/ownership.js';
import { readWriteOptions, type Write, type WriteOptions } from './write.js';

/** The media type of configurations. The body may be JSON, too. */
export const applyMediaType = 'application/apply-patch+yaml';

/** Returns whether a PATCH is an apply. */
export function isApply(verb: VerbRequest): boolean {
  const contentType = headerOf(verb.request, 'content-type') ?? '';
  if (contentType === applyMediaType) return true;
  const [mediaType = ''] = contentType.split(';');
  return mediaType.trim() === applyMediaType;
}

/** The number of attempts of an apply if other writers are faster. */
const lostRaces = 5;

/** Applies the configuration in the body. It cannot create the object through a subresource. */
export async function apply(verb: VerbRequest): Promise<ApiResponse> {
  const sent = await readApplied(verb);
  if (!sent.ok) return answerFailure(verb, sent.failure);
  const { representation, write, configuration } = sent.value;
  const outcome = await runUpdate(write, {
    verb: 'apply',
    merge: (draft) => mergeConfiguration(write, write.resource, configuration, draft),
    ...(write.subresource ? {} : { create: () => createApplied(write, configuration) }),
    uid: '',
    pinned: false,
    attempts: lostRaces,
  });
  return answerOutcome(verb, representation, outcome);
}

/** A configuration to apply. */
export interface Configuration {
  /** Returns a copy for one attempt. Its parts become parts of the object, which later stages change in place. */
  readonly value: () => JsonObject;
  /** Takes fields from other managers instead of conflicting with them. */
  readonly force: boolean;
  /** Client-side apply: its manager, and the annotation with its last configuration. */
  readonly clientSide: ClientSideApply;
  /** Reports unknown fields to the client; returns a failure if the client asked for strict validation. */
  readonly report: (unknownFields: readonly string[]) => Failure | undefined;
}

/** A configuration from a client, and the write that it asks for. */
export interface AppliedBody {
  /** The form of the answer. */
  readonly representation: Representation;
  readonly write: Write;
  readonly configuration: Configuration;
}

/** Reads the body, the options and the answer's form of an apply. The body and the answer are of `kind`. */
export async function readApplied(verb: VerbRequest, kind = verb.resource): Promise<Result<AppliedBody>> {
  const ofKind = kind === verb.resource ? verb : { ...verb, resource: kind };
  const representation = readForm(ofKind, 'object');
  if (!representation.ok) return representation;
  const bytes = await verb.request.readBody(verb.services.maxBodyBytes);
  if (!bytes.ok) return bytes;
  countBody(verb, bytes.value);
  const options = readWriteOptions(verb, 'ApplyOptions');
  if (!options.ok) return options;
  const { fieldValidation, force } = options.value;
  const value = await readConfiguration(ofKind, bytes.value, options.value);
  if (!value.ok) return value;
  const configuration: Configuration = {
    value: value.value,
    force,
    clientSide: verb.services.clientSideApply,
    report: (unknownFields) => reportFields(ofKind, fieldValidation, unknownOf(ofKind, unknownFields)),
  };
  const write = toWrite(verb, options.value);
  return { ok: true, value: { representation: representation.value, write, configuration } };
}

/**
 * Reads the configuration in a body; it must be of the resource's kind. Each attempt of the write takes its own copy,
 * because the copy becomes a part of the object.
 */
async function readConfiguration(
  verb: VerbRequest,
  bytes: Uint8Array,
  options: WriteOptions,
): Promise<Result<() => JsonObject>> {
  const decoded = await decodeYamlBody(bytes);
  if (bytes.length > largeBytes) await nextTurn();
  if (!decoded.ok) return { ok: false, failure: unreadable(`error converting YAML to JSON: ${decoded.problem}`) };
  // An empty body or a null is a configuration without fields.
  const value = decoded.value ?? {};
  if (!isObject(value)) {
    const found = jsonTypeOf(value);
    const problem = `json: cannot unmarshal ${found} into Go value of type map[string]interface {}`;
    return { ok: false, failure: unreadable(`error unmarshaling JSON: while decoding JSON: ${problem}`) };
  }
  const tooLarge = listSizeFailure(verb.resource, value, bytes.length);
  if (tooLarge) return { ok: false, failure: tooLarge };
  verb.services.recorder?.configuration(verb.request, value);
  const otherKind = kindProblem(verb, value);
  if (otherKind) return { ok: false, failure: otherKind };
  const { remarks } = decoded;
  if (remarks.length > 0 && options.fieldValidation === 'Strict') return { ok: false, failure: repeated(remarks) };
  reportFields(verb, options.fieldValidation, remarks);
  return { ok: true, value: fresh(value, () => configurationAgain(bytes)) };
}

/** Reads the configuration in a body again. */
function configurationAgain(bytes: Uint8Array): JsonObject {
  const decoded = decodeYamlAgain(bytes);
  const value = decoded.ok ? (decoded.value ?? {}) : undefined;
  if (isObject(value)) return value;
  throw new Error('a configuration reads differently the second time');
}

const unreadable = (problem: string): Failure => badRequest(`error decoding YAML: ${problem}`);

/** Refuses repeated fields, in words that the reference only uses for configurations. */
const repeated = (remarks: readonly string[]): Failure =>
  badRequest(
    `error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  ${remarks.join('\n  ')}`,
  );

/**
 * Refuses a configuration of another kind. Later releases also refuse another version here; before, a later check does.
 */
function kindProblem({ resource, services }: VerbRequest, { apiVersion, kind }: JsonObject): Failure | undefined {
  const expected = resource.module.names.kind;
  if (services.release.does('applyChecksKindFirst')) {
    const isRight = apiVersion === resource.apiVersion && kind === expected;
    return isRight ? undefined : badRequest(`invalid object type: ${typeText(apiVersion, kind)}`);
  }
  if (apiVersion !== resource.apiVersion || kind === expected) return undefined;
  const found = typeof kind === 'string' && kind !== '' ? `is of kind ${JSON.stringify(kind)}` : 'says no kind';
  return badRequest(`failed to create typed patch object: the configuration ${found}, and must be of ${expected}`);
}

/**
 * Returns a type as messages print it, such as `apps/v1, Kind=Deployment`. Without a valid version, the type is empty.
 */
function typeText(apiVersion: JsonValue | undefined, kind: JsonValue | undefined): string {
  const found = parseGroupVersion(typeof apiVersion === 'string' ? apiVersion : '');
  if (!found) return '/, Kind=';
  return `${found.group}/${found.version}, Kind=${typeof kind === 'string' ? kind : ''}`;
}

async function createApplied(write: Write, configuration: Configuration): Promise<Result<WriteOutcome>> {
  const merged = await inTurns(mergeConfiguration(write, write.resource, configuration, undefined));
  if (!merged.ok) return merged;
  const refused = foreignUid(write, merged.value.metadata.uid);
  return refused ? { ok: false, failure: refused } : runCreate(write, merged.value, { verb: 'apply' });
}

/** Refuses to create an object from a configuration with a uid, because the client means an existing object. */
function foreignUid({ resource: { module }, name }: Write, uid: string | undefined): Failure | undefined {
  if (!uid) return undefined;
  const problem = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
  return conflict(module.group, module.names.plural, name, problem);
}

/**
 * Merges the configuration into the live object, or its view, and records the owners. Without a live object, makes the
 * new object.
 */
export function* mergeConfiguration(
  write: Write,
  kind: ServedResource,
  configuration: Configuration,
  live: ApiObject | undefined,
): Steps<Result<ApiObject>> {
  const applied = configuration.value();
  yield;
  const result = yield* applyInSteps(new OwnedApply(write, kind, configuration, applied, live));
  if (!result.ok) return result;
  yield;
  const merged = result.value;
  const { managedFields } = merged.metadata;
  // The server has just written the managed fields, so they need no decoding.
  merged.metadata.managedFields = undefined;
  const decoded = keepingNulls(kind, merged, () => toObject(kind, merged, live?.metadata));
  if (!decoded.ok) return { ok: false, failure: notOfResource(kind, decoded.problem) };
  yield;
  const { object, unknownFields } = decoded.value;
  const refused = configuration.report(unknownFields);
  if (refused) return { ok: false, failure: refused };
  object.metadata.managedFields = managedFields;
  return { ok: true, value: object };
}
