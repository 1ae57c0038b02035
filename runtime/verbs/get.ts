/** The verb `get`: one object as it is now. */
import { badRequest, notFound, tooLargeResourceVersion } from '../objects/status.js';
import { prepareToRead } from '../pipeline/remote-versions.js';
import { keyOf } from '../pipeline/served-resource.js';
import { answerFailure } from './answers.js';
import type { Answer } from './exchange.js';
import { readRevision } from './list-options.js';
import { readRepresentation } from './representation.js';
import type { VerbRequest } from './verb-request.js';
import { warningHeaders } from './warnings.js';

/** How long a read waits for a revision that the store has not reached, milliseconds. */
export const futureRevisionWaitMs = 3000;

const exportGone = badRequest('the export parameter, deprecated since v1.14, is no longer supported');

/** Reads the object that the path names. */
export async function get(verb: VerbRequest): Promise<Answer> {
  const { resource, services } = verb;
  const representation = readRepresentation(verb, 'object');
  if (!representation.ok) return answerFailure(verb, representation.failure);
  if (verb.query.boolean('export')) return answerFailure(verb, exportGone);
  const revision = readRevision(verb.query.text('resourceVersion'));
  if (!revision.ok) return answerFailure(verb, revision.failure);
  if (revision.value === undefined) {
    // Embedded stores answer at once; a turn of waiting for them would cost more than they do.
    const confirmed = services.store.confirm();
    const unconfirmed = confirmed instanceof Promise ? await confirmed : confirmed;
    if (unconfirmed) return answerFailure(verb, unconfirmed);
  } else if (revision.value > 0 && !(await services.store.reached(revision.value, futureRevisionWaitMs))) {
    return answerFailure(verb, tooLargeResourceVersion(revision.value, services.store.revision));
  }
  const entry = services.store.get(keyOf(resource, verb.namespace, verb.name));
  if (!entry) return answerFailure(verb, notFound(resource.module.group, resource.module.names.plural, verb.name));
  const preparing = prepareToRead(resource, [entry]);
  const unread = preparing && (await preparing);
  if (unread) return answerFailure(verb, unread);
  const body = representation.value.entry(resource, entry);
  return { code: 200, contentType: representation.value.contentType, headers: warningHeaders(verb), body };
}
