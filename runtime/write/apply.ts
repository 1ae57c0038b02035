/**
 * The verb `apply`: a client states what it wants of an object, and the server merges it and keeps account of owners.
 */
import { jsonTypeOf } from '../codec/json.js';
import type { Failure, JsonObject, Result } from '../contract/index.js';
import { isObject } from '../objects/guards.js';
import { badRequest } from '../objects/status.js';
import { nextTurn } from '../objects/turns.js';
import type { ApiResponse } from '../request/api-request.js';
import { headerOf, largeBytes } from '../request/body.js';
import { readRepresentation } from '../request/representation/negotiate.js';
import { answerFailure, answerOutcome } from '../request/responses.js';
import type { VerbRequest } from '../request/verb-request.js';
import { decodeYamlAgain, decodeYamlBody } from '../request/yaml-body.js';
import { listSizeFailure } from './decode/list-sizes.js';
import { reportFields, unknownOf } from './field-validation.js';
import { fresh } from './per-attempt.js';
import { type ApplyPlan, runApply } from './run-apply.js';
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
  const outcome = await runApply(toWrite(verb, options.value), planOf(verb, applied.value, options.value));
  return outcome.ok ? answerOutcome(verb, representation.value, outcome.value) : answerFailure(verb, outcome.failure);
}

/**
 * Reads the configuration in a body; it must be of the resource's kind. Each attempt of the write takes a copy of its
 * own, which becomes a part of the object.
 */
export async function readConfiguration(
  verb: VerbRequest,
  bytes: Uint8Array,
  options: WriteOptions,
): Promise<Result<() => JsonObject>> {
  const decoded = await decodeYamlBody(bytes);
  if (bytes.length > largeBytes) await nextTurn();
  if (!decoded.ok) return { ok: false, failure: unreadable(`error converting YAML to JSON: ${decoded.problem}`) };
  // Nothing at all, or a written null, is a configuration without fields.
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

/** The configuration in a body that has been read before. */
function configurationAgain(bytes: Uint8Array): JsonObject {
  const decoded = decodeYamlAgain(bytes);
  const value = decoded.ok ? (decoded.value ?? {}) : undefined;
  if (isObject(value)) return value;
  throw new Error('a configuration reads differently the second time');
}

const unreadable = (problem: string): Failure => badRequest(`error decoding YAML: ${problem}`);

/** The reader of configurations has words of its own for fields that are said twice. */
const repeated = (remarks: readonly string[]): Failure =>
  badRequest(
    `error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  ${remarks.join('\n  ')}`,
  );

/**
 * A configuration says its kind, since its fields mean nothing without it. That its version is right is checked
 * later.
 */
function kindProblem({ resource }: VerbRequest, { apiVersion, kind }: JsonObject): Failure | undefined {
  const expected = resource.module.names.kind;
  if (apiVersion !== resource.apiVersion || kind === expected) return undefined;
  const found = typeof kind === 'string' && kind !== '' ? `is of kind ${JSON.stringify(kind)}` : 'says no kind';
  return badRequest(`failed to create typed patch object: the configuration ${found}, and must be of ${expected}`);
}

/** A configuration that has been read, as the pipeline applies it. */
export const planOf = (verb: VerbRequest, configuration: () => JsonObject, options: WriteOptions): ApplyPlan => ({
  configuration,
  force: options.force,
  clientSide: verb.services.clientSideApply,
  report: (unknownFields) => reportFields(verb, options.fieldValidation, unknownOf(verb, unknownFields)),
});
