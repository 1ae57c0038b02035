/** The verb `create`: POST of an object to its collection. */
import { inTurns } from '../objects/turns.js';
import type { ApiResponse } from '../request/api-request.js';
import { readObjectBody } from '../request/body.js';
import { readRepresentation } from '../request/representation/negotiate.js';
import { answerFailure, answerOutcome } from '../request/responses.js';
import type { VerbRequest } from '../request/verb-request.js';
import { decodeObject } from './decode-object.js';
import { runCreate } from './run-create.js';
import { readWriteOptions } from './write-options.js';
import { toWrite } from './write-request.js';

/** Creates the object in the body. */
export async function create(verb: VerbRequest): Promise<ApiResponse> {
  const representation = readRepresentation(verb, 'object');
  if (!representation.ok) return answerFailure(verb, representation.failure);
  const body = await readObjectBody(verb);
  if (!body.ok) return answerFailure(verb, body.failure);
  const options = readWriteOptions(verb, 'CreateOptions');
  if (!options.ok) return answerFailure(verb, options.failure);
  const object = await inTurns(decodeObject(verb, body.value, options.value.fieldValidation));
  if (!object.ok) return answerFailure(verb, object.failure);
  const outcome = await runCreate(toWrite(verb, options.value), object.value);
  return outcome.ok ? answerOutcome(verb, representation.value, outcome.value) : answerFailure(verb, outcome.failure);
}
