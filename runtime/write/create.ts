/** The verb `create`: POST of an object to its collection. */
import type { ApiResponse } from '../request/api-request.js';
import { answerFailure, answerOutcome } from '../request/responses.js';
import type { VerbRequest } from '../request/verb-request.js';
import { readSent } from './begin.js';
import { runCreate } from './run.js';

/** Creates the object in the body. */
export async function create(verb: VerbRequest): Promise<ApiResponse> {
  const sent = await readSent(verb, 'CreateOptions');
  if (!sent.ok) return answerFailure(verb, sent.failure);
  const { representation, write, object } = sent.value;
  const outcome = await runCreate(write, object);
  return answerOutcome(verb, representation, outcome);
}
