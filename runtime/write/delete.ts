/** The verb `delete`: one object, at once or once its finalizers are done. */

import type { ApiResponse } from '../request/api-request.js';
import { readRepresentation } from '../request/representation/negotiate.js';
import { answerDeleted, answerFailure } from '../request/responses.js';
import type { VerbRequest } from '../request/verb-request.js';
import { toWrite } from './begin.js';
import { readDeleteOptions, warnOfOrphans } from './delete-options.js';
import { runDelete } from './run.js';

/** Deletes the object that the path names. */
export async function deleteOne(verb: VerbRequest): Promise<ApiResponse> {
  const representation = readRepresentation(verb, 'object');
  if (!representation.ok) return answerFailure(verb, representation.failure);
  const options = await readDeleteOptions(verb);
  if (!options.ok) return answerFailure(verb, options.failure);
  const { dryRun, plan, object } = options.value;
  warnOfOrphans(verb, plan);
  const outcome = await runDelete(toWrite(verb, { dryRun, manager: '', object }), plan);
  return answerDeleted(verb, representation.value, outcome);
}
