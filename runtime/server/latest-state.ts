/** Has writes build on the latest state of the store, which other servers may change. */
import { type MaybePromise, thenSync } from '../objects/turns.js';
import type { ApiResponse } from '../request/api-request.js';
import { answerFailure } from '../request/responses.js';
import { UnconfirmedState, type VerbRequest } from '../request/verb-request.js';
import type { DefinedAtRunTime } from '../resource/served-resource.js';
import { apply } from '../write/apply.js';
import { create } from '../write/create.js';
import { deleteOne } from '../write/delete.js';
import { patch } from '../write/patch.js';
import { update } from '../write/update.js';

/** The verbs that end with one change, or with an answer that could be given up: these may begin again. */
const mayBeginAgain: ReadonlySet<VerbHandler> = new Set([create, update, patch, apply, deleteOne]);

/** A write whose state is still to be confirmed. */
export interface UnconfirmedWrite extends VerbRequest {
  unconfirmed: UnconfirmedState | undefined;
}

/** One attempt of a write, and what it needs to know. */
export interface LatestWrite {
  readonly attempt: AnswerAttempt;
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
  { attempt, confirmFirst, isServed, again }: LatestWrite,
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
  attempt: AnswerAttempt,
  state: UnconfirmedState,
): Promise<ApiResponse> {
  verb.unconfirmed = state;
  const answer = await handle(verb);
  if (state.isConfirmed) return answer;
  const failure = state.isOutdated ? undefined : await state.confirm();
  if (state.isOutdated) attempt.outdated();
  return failure ? answerFailure(verb, failure) : answer;
}

/** Carries out a verb. */
export type VerbHandler = (verb: VerbRequest) => MaybePromise<ApiResponse>;

/**
 * Makes another attempt. It confirms first that it builds on the latest state where this one has not, and was told that
 * it should have.
 */
export type Again = (confirmFirst: boolean) => MaybePromise<ApiResponse>;

/** One attempt. It is told why it has to be made again; nothing has been written then. */
export class AnswerAttempt {
  #isSuperseded = false;
  #isOutdated = false;

  /** @param defined the definition of the resource, where that may change before there is an answer. */
  constructor(private readonly defined: DefinedAtRunTime | undefined) {}

  /** Told to a write of a defined resource that is served in another way by now. */
  readonly superseded = (): void => {
    this.#isSuperseded = true;
  };

  /** Told where others have changed something that a write should have known of. */
  outdated(): void {
    this.#isOutdated = true;
  }

  /**
   * Runs a handler, and makes another attempt where this one does not count. What a write has stored stands; a read may
   * have used another schema.
   */
  run(verb: VerbRequest, handle: VerbHandler, again: Again): MaybePromise<ApiResponse> {
    return thenSync(handle(verb), (answer) => {
      if (this.#isOutdated) return again(true);
      const wasReadByAnother = verb.request.method === 'GET' && this.defined?.ended.aborted === true;
      return this.#isSuperseded || wasReadByAnother ? again(false) : answer;
    });
  }
}
