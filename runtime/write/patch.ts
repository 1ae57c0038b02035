/** The verb `patch`: patches the stored object. */
import { encodeJson, type WrittenNumber } from '../codec/json.js';
import { negotiatePatch, routeConsumes } from '../codec/negotiation.js';
import { notAnObject } from '../codec/undecodable.js';
import type { ApiObject, Failure, JsonObject, JsonValue, ObjectMeta, Result } from '../contract/index.js';
import { invalidValue } from '../objects/field-error.js';
import { isObject, objectAt, stringAt } from '../objects/guards.js';
import { invalid } from '../objects/status.js';
import { nextTurn, type Steps } from '../objects/turns.js';
import { type ApiResponse, headerOf } from '../request/api-request.js';
import { countBody, largeBytes } from '../request/body.js';
import { readRepresentation } from '../request/representation/negotiate.js';
import { answerFailure, answerOutcome } from '../request/responses.js';
import type { VerbRequest } from '../request/verb-request.js';
import { applyMediaType } from './apply.js';
import { toWrite } from './begin.js';
import { checkKind, type DecodedObject, toObject } from './decode.js';
import { listSizeFailure, reportFields, reportOtherVersion, takeAsWritten, unknownOf } from './decode-object.js';
import { type Patcher, patchers, patchMediaTypes, strategicMediaType } from './patchers.js';
import { fresh, runUpdate } from './run.js';
import { readWriteOptions, type WriteOptions } from './write.js';

/** The number of attempts of a patch without a revision if other writers are faster. */
const lostRaces = 5;

/** Patches the object that the path names. */
export async function patch(verb: VerbRequest): Promise<ApiResponse> {
  const request = await readPatch(verb);
  if (!request.ok) return answerFailure(verb, request.failure);
  const representation = readRepresentation(verb, 'object');
  if (!representation.ok) return answerFailure(verb, representation.failure);
  const outcome = await runUpdate(toWrite(verb, request.value.options), {
    verb: 'patch',
    merge: (draft) => mergePatch(verb, request.value, draft),
    uid: '',
    pinned: false,
    attempts: lostRaces,
  });
  return answerOutcome(verb, representation.value, outcome);
}

/** The media types of a PATCH, apply included, in the order of messages. */
const builtInTypes: readonly string[] = [...patchMediaTypes, applyMediaType];

/** Custom resources have no strategic merge, because nothing defines how their lists merge. */
const customTypes: readonly string[] = builtInTypes.filter((type) => type !== strategicMediaType);

/** The headers that nearly all clients send, for patches of all kinds: the media type without parameters. */
const plainTypes: ReadonlyMap<string, Result<string>> = new Map(
  customTypes.map((type) => [type, { ok: true, value: type }]),
);

/** Returns the media type of a patch. Routes of built-in kinds check it first, with their own messages. */
export function patchTypeOf(verb: VerbRequest): Result<string> {
  const contentType = headerOf(verb.request, 'content-type');
  const plain = contentType === undefined ? undefined : plainTypes.get(contentType);
  if (plain) return plain;
  if (verb.resource.module.decoding !== 'typed') return negotiatePatch(contentType, customTypes);
  const unconsumed = routeConsumes(contentType, builtInTypes);
  return unconsumed ? { ok: false, failure: unconsumed } : negotiatePatch(contentType, builtInTypes);
}

/** A patch with its options. The server only refuses a malformed patch if there is an object to patch. */
export interface PatchRequest {
  readonly options: WriteOptions;
  /** Called for each attempt, because the patched object contains parts of the patch. */
  readonly patcher: () => Result<Patcher>;
}

/** Reads a patch of the resource, or of the kind of its view. */
export async function readPatch(verb: VerbRequest, kind = verb.resource): Promise<Result<PatchRequest>> {
  const mediaType = patchTypeOf(verb);
  if (!mediaType.ok) return mediaType;
  const bytes = await verb.request.readBody(verb.services.maxBodyBytes);
  if (!bytes.ok) return bytes;
  countBody(verb, bytes.value);
  const options = readWriteOptions(verb, 'PatchOptions');
  if (!options.ok) return options;
  verb.services.recorder?.patch(verb.request, bytes.value);
  const reader = patchers[mediaType.value];
  if (!reader)
    return { ok: false, failure: { reason: 'UnsupportedMediaType', message: '415: Unsupported Media Type' } };
  const read = (): Result<Patcher> => reader(bytes.value, options.value.fieldValidation !== 'Ignore', kind);
  const first = read();
  if (bytes.value.length > largeBytes) await nextTurn();
  return { ok: true, value: { options: options.value, patcher: fresh(first, read) } };
}

/**
 * Applies the patch and decodes the result. Reads the patch only here, because a missing object is reported before a
 * wrong patch.
 */
export function* mergePatch(
  verb: VerbRequest,
  { patcher, options }: PatchRequest,
  current: ApiObject,
): Steps<Result<ApiObject>> {
  const read = patcher();
  if (!read.ok) return read;
  yield;
  const { apply, remarks, decimals } = read.value;
  const value = yield* apply(current);
  if (!value.ok) return value;
  const tooLarge = listSizeFailure(verb.resource, value.value);
  if (tooLarge) return { ok: false, failure: tooLarge };
  yield;
  // Reports repeated fields of the patch and unknown fields of the result together.
  const odd = (unknown: readonly string[]): readonly string[] => [...remarks, ...unknownOf(verb, unknown)];
  const decoded = decodePatched(verb, value.value, current.metadata, decimals);
  if (!decoded.ok) return otherVersion(verb, value.value, options, odd) ?? decoded;
  const refused = reportFields(verb, options.fieldValidation, odd(decoded.value.unknownFields));
  return refused ? { ok: false, failure: refused } : { ok: true, value: decoded.value.object };
}

/** Reports the unknown fields of a patched custom resource of another version. Its refusal comes after them. */
function otherVersion(
  verb: VerbRequest,
  value: JsonValue,
  { fieldValidation }: WriteOptions,
  told: (unknown: readonly string[]) => readonly string[],
): Result<never> | undefined {
  const { module, apiVersion } = verb.resource;
  if (module.decoding === 'typed' || !isObject(value) || value.apiVersion === apiVersion) return undefined;
  const failure = reportOtherVersion(verb, fieldValidation, value, told);
  return failure && { ok: false, failure };
}

function decodePatched(
  verb: VerbRequest,
  value: JsonValue,
  before: ObjectMeta,
  decimals: readonly WrittenNumber[],
): Result<DecodedObject> {
  if (!isObject(value)) return { ok: false, failure: badPatch(value, notAnObject(value)) };
  const kind = checkKind(verb.resource, value, Buffer.alloc(0), verb.services.knowsKind);
  if (!kind.ok) return { ok: false, failure: otherKind(verb, value, kind.failure) };
  if (verb.resource.module.decoding === 'typed' && !kind.value.apiVersion) return unversioned(verb, kind.value);
  const shown = decimals.length > 0 ? encodeJson(value) : undefined;
  const asWritten = takeAsWritten(verb.resource, kind.value, decimals);
  const decoded = toObject(verb.resource, kind.value, before);
  return decoded.ok ? decoded : { ok: false, failure: badPatch(value, asWritten(decoded.problem), shown) };
}

/**
 * Treats all fields as unknown if a patch removes the version. The name is lost too, so a later stage refuses the
 * patch.
 */
function unversioned({ resource }: VerbRequest, value: JsonObject): Result<DecodedObject> {
  const fields = Object.keys(value).filter((field) => field !== 'apiVersion' && field !== 'kind');
  const object: ApiObject = { kind: resource.module.names.kind, apiVersion: resource.apiVersion, metadata: {} };
  return { ok: true, value: { object, unknownFields: fields } };
}

/** Returns the failure of a patched object of another kind. For custom resources it names the object, not the patch. */
function otherKind({ resource: { module, apiVersion } }: VerbRequest, value: JsonObject, failure: Failure): Failure {
  if (module.decoding === 'typed') return badPatch(value, failure.message);
  if (failure.reason !== 'BadRequest' || value.apiVersion === apiVersion) return failure;
  const name = stringAt(objectAt(value, 'metadata'), 'name');
  const error = invalidValue('apiVersion', value.apiVersion ?? '', `must be ${apiVersion}`);
  return invalid(module.group, module.names.kind, name, [error]);
}

/**
 * Returns a 422 for a patch if its result is not an object of the resource. It names the patch as the mistake, not the
 * body.
 */
const badPatch = (value: JsonValue, problem: string, shown = encodeJson(value)): Failure =>
  invalid('', '', '', [invalidValue('patch', shown, problem)]);
