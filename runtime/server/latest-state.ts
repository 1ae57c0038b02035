/** Has writes build on the latest state of the store, which other servers may change. */
import { type MaybePromise, thenSync } from '../objects/maybe-promise.js';
import { UnconfirmedState } from '../pipeline/unconfirmed-state.js';
import type { ApiResponse } from '../verbs/api-request.js';
import { apply } from '../verbs/apply.js';
import { create } from '../verbs/create.js';
import { deleteOne } from '../verbs/delete.js';
import { patch } from '../verbs/patch.js';
import { answerFailure } from '../verbs/responses.js';
import { update } from '../verbs/update.js';
import type { VerbRequest } from '../verbs/verb-request.js';
import type { Attempt, VerbHandler } from './attempt.js';

/** The verbs that end with one change, or with an answer that could be given up: these may begin again. */
const mayBeginAgain: ReadonlySet<VerbHandler> = new Set([create, update, patch, apply, deleteOne]);

/** A write whose state is still to be confirmed. */
export interface UnconfirmedWrite extends VerbRequest {
  unconfirmed: UnconfirmedState | undefined;
}

/** Runs a write once the store knows of all that other servers have acknowledged. */
export const onceConfirmed = (verb: VerbRequest, run: () => MaybePromise<ApiResponse>): MaybePromise<ApiResponse> =>
  thenSync(verb.services.store.confirm(), (unconfirmed) => (unconfirmed ? answerFailure(verb, unconfirmed) : run()));

/**
 * Runs a write on the state that memory has, if that is likely to be the latest; `undefined` where it is not, or the
 * verb cannot begin again. The change itself, or a confirmation behind an answer without one, proves the state. The
 * attempt is told where it was not the latest: then the answer does not count.
 */
export function onUnconfirmedState(
  verb: UnconfirmedWrite,
  handle: VerbHandler,
  attempt: Attempt,
): MaybePromise<ApiResponse> | undefined {
  const basis = mayBeginAgain.has(handle) ? verb.services.store.basis?.() : undefined;
  return basis && proven(verb, handle, attempt, new UnconfirmedState(basis));
}

async function proven(
  verb: UnconfirmedWrite,
  handle: VerbHandler,
  attempt: Attempt,
  state: UnconfirmedState,
): Promise<ApiResponse> {
  verb.unconfirmed = state;
  const answer = await handle(verb);
  if (state.isConfirmed) return answer;
  const failure = state.isOutdated ? undefined : await state.confirm();
  if (state.isOutdated) attempt.outdated();
  return failure ? answerFailure(verb, failure) : answer;
}
