/** The verb `patch`: a JSON patch or merge patch of the stored object. */
import { decodeJson } from '../codec/json.js';
import type { ApiObject, JsonObject, Result } from '../contract/index.js';
import { applyJsonPatch, decodeJsonPatch } from '../merge/json-patch.js';
import { applyMergePatch, decodeMergePatch } from '../merge/merge-patch.js';
import { isObject } from '../objects/guards.js';
import { badRequest, unsupportedPatchType } from '../objects/status.js';
import { toObject } from '../pipeline/decode.js';
import { recordOwnership } from '../pipeline/ownership.js';
import { runUpdate } from '../pipeline/update.js';
import type { Write } from '../pipeline/write.js';
import { answerFailure, answerOutcome } from './answers.js';
import { mediaTypeOf } from './body.js';
import type { Answer } from './exchange.js';
import { reportFields } from './field-validation.js';
import { readRepresentation } from './representation.js';
import type { VerbRequest } from './verb-request.js';
import { type FieldValidation, readWriteOptions } from './write-options.js';
import { toWrite } from './write-request.js';

/** A patch that names no revision starts again this often when others keep being faster. */
const lostRaces = 5;

/** Turns the current object into the patched one; both as plain values. */
type Patcher = (current: ApiObject) => Result<JsonObject>;

/** Patches the object that the path names. */
export async function patch(verb: VerbRequest): Promise<Answer> {
  const makePatcher = patchers[mediaTypeOf(verb)];
  if (!makePatcher) return answerFailure(verb, unsupportedPatchType(Object.keys(patchers)));
  const representation = readRepresentation(verb);
  if (!representation.ok) return answerFailure(verb, representation.failure);
  const bytes = await verb.request.readBody(verb.services.maxBodyBytes);
  if (!bytes.ok) return answerFailure(verb, bytes.failure);
  const options = readWriteOptions(verb, 'PatchOptions');
  if (!options.ok) return answerFailure(verb, options.failure);
  const patcher = makePatcher(bytes.value);
  if (!patcher.ok) return answerFailure(verb, patcher.failure);
  const write = toWrite(verb, options.value);
  const next = (current: ApiObject) => patched(verb, write, patcher.value, options.value.fieldValidation, current);
  const outcome = await runUpdate(write, { next, attempts: lostRaces });
  return outcome.ok
    ? answerOutcome(verb, representation.value, outcome.value)
    : answerFailure(verb, outcome.failure);
}

function patched(
  verb: VerbRequest,
  write: Write,
  patcher: Patcher,
  level: FieldValidation,
  current: ApiObject,
): Result<ApiObject> {
  const value = patcher(structuredClone(current));
  if (!value.ok) return value;
  const decoded = toObject(verb.resource, value.value);
  if (!decoded.ok) return decoded;
  const refused = reportFields(verb, level, decoded.value.unknownFields);
  if (refused) return { ok: false, failure: refused };
  recordOwnership(write, decoded.value.object, current);
  return { ok: true, value: decoded.value.object };
}

const patchers: Readonly<Record<string, ((bytes: Uint8Array) => Result<Patcher>) | undefined>> = {
  'application/json-patch+json': (bytes) => {
    const decoded = decodeJson(bytes);
    if (!decoded.ok) return { ok: false, failure: badRequest(decoded.message) };
    const document = decodeJsonPatch(decoded.value, false);
    if (!document.ok) return document;
    return { ok: true, value: (current) => asObject(applyJsonPatch(current, document.value)) };
  },
  'application/merge-patch+json': (bytes) => {
    const decoded = decodeJson(bytes);
    if (!decoded.ok) return { ok: false, failure: badRequest(decoded.message) };
    const document = decodeMergePatch(decoded.value, false);
    if (!document.ok) return document;
    return { ok: true, value: (current) => asObject({ ok: true, value: applyMergePatch(current, document.value) }) };
  },
};
