/** The verb `create`: POST of an object to its collection. */
import type { ApiObject, Result } from '../contract/index.js';
import { runCreate } from '../pipeline/create.js';
import { checkKind, toObject } from '../pipeline/decode.js';
import { badRequest } from '../objects/status.js';
import { readObjectBody } from './body.js';
import type { Answer } from './exchange.js';
import { reportFields } from './field-validation.js';
import { answerOutcome, answerFailure } from './answers.js';
import { readRepresentation } from './representation.js';
import type { VerbRequest } from './verb-request.js';
import { type FieldValidation, readWriteOptions } from './write-options.js';
import { toWrite } from './write-request.js';

/** Creates the object in the body. */
export async function create(verb: VerbRequest): Promise<Answer> {
  const representation = readRepresentation(verb);
  if (!representation.ok) return answerFailure(verb, representation.failure);
  const body = await readObjectBody(verb);
  if (!body.ok) return answerFailure(verb, body.failure);
  const options = readWriteOptions(verb, 'CreateOptions');
  if (!options.ok) return answerFailure(verb, options.failure);
  const object = decodeObject(verb, body.value, options.value.fieldValidation);
  if (!object.ok) return answerFailure(verb, object.failure);
  const outcome = await runCreate(toWrite(verb, options.value), object.value);
  return outcome.ok
    ? answerOutcome(verb, representation.value, outcome.value)
    : answerFailure(verb, outcome.failure);
}

/** Decodes a whole object from a body, as creates and replaces do. */
export function decodeObject(
  verb: VerbRequest,
  body: Awaited<ReturnType<typeof readObjectBody>> extends Result<infer Body> ? Body : never,
  level: FieldValidation,
): Result<ApiObject> {
  const value = checkKind(verb.resource, body.empty ? null : body.value, verb.services.knowsKind);
  if (!value.ok) return value;
  const decoded = toObject(verb.resource, value.value);
  if (!decoded.ok) return decoded;
  const refused = reportFields(verb, level, [...body.duplicateFields, ...decoded.value.unknownFields]);
  return refused ? { ok: false, failure: refused } : { ok: true, value: decoded.value.object };
}
