/** The verb `update`: replaces the stored object with the whole object of a PUT. */
import type { ApiObject, Failure, Result } from '../contract/index.js';
import { getOwn } from '../objects/guards.js';
import type { Steps } from '../objects/turns.js';
import type { ApiResponse } from '../request/api-request.js';
import { answerFailure, answerOutcome } from '../request/responses.js';
import type { VerbRequest } from '../request/verb-request.js';
import type { ResourceVersions } from '../resource/served-resource.js';
import { readSent } from './begin.js';
import { fresh, runCreate, runUpdate } from './run.js';
import { isPinned } from './stages/commit.js';
import { checkNameAgrees, dedupOwnerReferences, placeInNamespace } from './stages/metadata.js';
import type { Write } from './write.js';

/** The number of attempts of a replacement without a revision if other writers are faster. */
export const lostReplaces = 64;

/** Replaces the object that the path names. For some kinds, creates the object if there is none. */
export async function update(verb: VerbRequest): Promise<ApiResponse> {
  const sent = await readSent(verb, 'UpdateOptions');
  if (!sent.ok) return answerFailure(verb, sent.failure);
  const { representation, write, object, again } = sent.value;
  const misplaced = receive(write, object);
  if (misplaced) return answerFailure(verb, misplaced);
  const next = fresh(object, () => receiveAgain(write, again()));
  const creates = write.resource.module.createOnUpdate && !write.subresource;
  const outcome = await runUpdate(write, {
    verb: 'update',
    merge: (current) => replacement(write.resource, next(), current),
    ...(creates ? { create: () => runCreate(write, next(), { verb: 'update' }) } : {}),
    uid: object.metadata.uid ?? '',
    pinned: isPinned(object),
    attempts: lostReplaces,
  });
  return answerOutcome(verb, representation, outcome);
}

/** Checks the name and the namespace of a replacement on arrival, before the server reads the stored object. */
export function receive(write: Write, object: ApiObject): Failure | undefined {
  const misplaced = checkNameAgrees({ object, write }) ?? placeInNamespace({ object, write });
  if (!misplaced) dedupOwnerReferences(object, write.warn);
  return misplaced;
}

function receiveAgain(write: Write, object: ApiObject): ApiObject {
  const misplaced = receive(write, object);
  if (misplaced) throw new Error(`a body reads differently the second time: ${misplaced.message}`);
  return object;
}

/** Returns the object that replaces the current one. */
function* replacement(resource: ResourceVersions, object: ApiObject, current: ApiObject): Steps<Result<ApiObject>> {
  yield;
  keepAnnotations(resource, object, current);
  return { ok: true, value: object };
}

/**
 * Copies annotations that keep fields of other versions, in place, because a client that replaces an object does not
 * know them. A client can remove one with a patch.
 */
export function keepAnnotations({ keptAnnotations }: ResourceVersions, next: ApiObject, current: ApiObject): void {
  const { annotations: before = {} } = current.metadata;
  for (const key of keptAnnotations) {
    const kept = getOwn(before, key);
    if (kept === undefined || getOwn(next.metadata.annotations ?? {}, key) !== undefined) continue;
    next.metadata.annotations = { ...next.metadata.annotations, [key]: kept };
  }
}
