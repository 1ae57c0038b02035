/** Has writes build on the latest state of the store, which other servers may change. */
import { type MaybePromise, thenSync } from '../objects/turns.js';
import type { ApiResponse } from '../request/api-request.js';
import { answerFailure } from '../request/responses.js';
import { UnconfirmedState, type VerbRequest } from '../request/verb-request.js';
import { apply } from '../write/apply.js';
import { create } from '../write/create.js';
import { deleteOne } from '../write/delete.js';
import { patch } from '../write/patch.js';
import { update } from '../write/update.js';
import type { Again, Attempt, VerbHandler } from './attempt.js';

/** The verbs that end with one change, or with an answer that could be given up: these may begin again. */
const mayBeginAgain: ReadonlySet<VerbHandler> = new Set([create, update, patch, apply, deleteOne]);

/** A write whose state is still to be confirmed. */
export interface UnconfirmedWrite extends VerbRequest {
  unconfirmed: UnconfirmedState | undefined;
}

/** One attempt of a write, and what it needs to know. */
export interface WriteAttempt {
  readonly attempt: Attempt;
  /** Whether the state has to be confirmed at once, as the attempt before was made on one that was not the latest. */
  readonly confirmFirst: boolean;
  /** Whether the resource is served as it was when the attempt began. */
  readonly isServed: () => boolean;
  readonly again: Again;
}

/**
 * Runs a write on all that other servers have acknowledged. Where memory is likely to have that, it is run at once: its
 * change, or a confirmation behind an answer without one, then proves the state. Otherwise the store confirms first.
 */
export function onLatestState(
  verb: UnconfirmedWrite,
  handle: VerbHandler,
  { attempt, confirmFirst, isServed, again }: WriteAttempt,
): MaybePromise<ApiResponse> {
  const { store } = verb.services;
  const basis = confirmFirst || !mayBeginAgain.has(handle) ? undefined : store.basis?.();
  if (basis) return proven(verb, handle, attempt, new UnconfirmedState(basis));
  return thenSync(store.confirm(), (unconfirmed) => {
    if (unconfirmed) return answerFailure(verb, unconfirmed);
    return isServed() ? handle(verb) : again(false);
  });
}

/** The answer on an unconfirmed state. The attempt is told where that was not the latest: then it does not count. */
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
