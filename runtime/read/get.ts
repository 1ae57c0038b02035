/** The verb `get`: returns one object as it is now. */
import type { Failure, Revision } from '../contract/index.js';
import { badRequest, notFound, tooLargeResourceVersion } from '../objects/status.js';
import { type MaybePromise, thenSync } from '../objects/turns.js';
import { Answer, type ApiResponse, readRevision } from '../request/api-request.js';
import { jsonRepresentation } from '../request/representation/json.js';
import { readForm } from '../request/representation/negotiate.js';
import type { Representation } from '../request/representation/representation.js';
import { answerFailure, recordable, warningHeaders } from '../request/responses.js';
import type { VerbRequest } from '../request/verb-request.js';
import { keyOf } from '../resource/served-resource.js';
import { prepareToRead } from '../resource/versions.js';

/** How long a read waits for a revision that the store has not reached, in milliseconds. */
export const futureRevisionWaitMs = 3000;

const exportGone = badRequest('the export parameter, deprecated since v1.14, is no longer supported');

/** Reads the object that the path names. */
export function get(verb: VerbRequest): MaybePromise<ApiResponse> {
  const representation = readForm(verb, 'object');
  if (!representation.ok) return answerFailure(verb, representation.failure);
  if (verb.query.boolean('export')) return answerFailure(verb, exportGone);
  const revision = readRevision(verb.query.text('resourceVersion'));
  if (!revision.ok) return answerFailure(verb, revision.failure);
  return thenSync(freshness(verb, revision.value), (failure) =>
    failure ? answerFailure(verb, failure) : answerNow(verb, representation.value),
  );
}

/** Waits until the store has the wanted revision, or the latest state if the client names no revision. */
function freshness(verb: VerbRequest, revision: Revision | undefined): MaybePromise<Failure | undefined> {
  const { store } = verb.services;
  if (revision === undefined) return store.confirm();
  if (revision === 0) return undefined;
  return thenSync(store.reached(revision, futureRevisionWaitMs), (reached) =>
    reached ? undefined : tooLargeResourceVersion(namedRevision(verb, revision), store.revision),
  );
}

/** Returns the revision in a query, for messages, because `revision` is rounded beyond 2^53. */
export function namedRevision({ query }: Pick<VerbRequest, 'query'>, revision: Revision): Revision | bigint {
  return Number.isSafeInteger(revision) ? revision : BigInt(query.text('resourceVersion'));
}

function answerNow(verb: VerbRequest, representation: Representation): MaybePromise<ApiResponse> {
  const { resource, services } = verb;
  const key = keyOf(resource, verb.namespace, verb.name);
  const entry = services.store.get(key);
  if (!entry) {
    const { group, names } = resource.module;
    return answerFailure(verb, services.store.damageAt?.(key) ?? notFound(group, names.plural, verb.name));
  }
  return thenSync(prepareToRead(resource, [entry]), (failure) => {
    const refused = failure ?? representation.refusal;
    if (refused) return answerFailure(verb, refused);
    const body = representation.entry(resource, entry);
    const json = recordable(verb, representation, () => jsonRepresentation.entry(resource, entry));
    return new Answer(200, representation.contentType, body, warningHeaders(verb), json);
  });
}
