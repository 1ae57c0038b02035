/** The verb `deletecollection`: deletes every object of a collection that the selectors select. */
import { placeOf } from '../objects/lines.js';
import { isFailure, successStatus } from '../objects/status.js';
import { readPage } from '../read/list.js';
import { readListOptions } from '../read/list-options.js';
import type { ApiResponse } from '../request/api-request.js';
import { readRepresentation } from '../request/representation/negotiate.js';
import { answerFailure, answerPage, answerStatus } from '../request/responses.js';
import type { VerbRequest } from '../request/verb-request.js';
import { toWrite } from './begin.js';
import { readDeleteOptions, warnOfOrphans } from './delete.js';
import { runDelete } from './run.js';
import { unsafeCollection } from './unsafe-delete.js';
import type { DeletePlan } from './write.js';

/** The number of deletes in flight, so that durable backends can group their commits. */
const concurrency = 16;

/**
 * Deletes the objects that a list with the same options returns. Answers with a Status, or with the deleted objects if
 * the client asks for a table or for metadata.
 */
export async function deleteCollection(verb: VerbRequest): Promise<ApiResponse> {
  const representation = readRepresentation(verb, 'list');
  if (!representation.ok) return answerFailure(verb, representation.failure);
  const listOptions = readListOptions(verb);
  if (!listOptions.ok) return answerFailure(verb, listOptions.failure);
  const options = await readDeleteOptions(verb);
  if (!options.ok) return answerFailure(verb, options.failure);
  if (options.value.isUnsafe) return answerFailure(verb, unsafeCollection(verb.services.metaGroup));
  const page = await readPage(verb, listOptions.value);
  if (!page.ok) return answerFailure(verb, page.failure);
  const { dryRun, plan, object } = options.value;
  warnOfOrphans(verb, plan);
  const queue = page.value.entries.map((entry) => entry.key);
  let refused: ApiResponse | undefined;
  const worker = async (): Promise<void> => {
    for (let key = queue.pop(); key !== undefined && !refused; key = queue.pop()) {
      const refusal = await deleteKey(verb, key, plan, dryRun, object);
      // Another worker may have had a refusal in the meantime.
      refused ??= refusal;
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, queue.length) }, worker));
  if (refused) return refused;
  if (representation.value.transforms) return answerPage(verb, representation.value, page.value);
  return answerStatus(verb, representation.value, 200, successStatus(200));
}

/** Deletes one object of the collection. An object that no longer exists is not a failure. */
async function deleteKey(
  verb: VerbRequest,
  key: string,
  plan: DeletePlan,
  dryRun: boolean,
  object: Parameters<typeof toWrite>[1]['object'],
): Promise<ApiResponse | undefined> {
  const [namespace, name] = placeOf(verb.resource.keyPrefix, key);
  const write = toWrite({ ...verb, namespace, name }, { dryRun, manager: '', object });
  const outcome = await runDelete({ ...write, ofCollection: true }, plan);
  if (outcome.ok || isFailure(outcome.failure, 'NotFound')) return undefined;
  return answerFailure(verb, outcome.failure);
}
