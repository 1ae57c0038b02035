/** Makes writes build on the latest state of the store, which other servers may change. */
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

/** The verbs that can start again: they end with one change, or with an answer that can be dropped. */
const mayBeginAgain: ReadonlySet<VerbHandler> = new Set([create, update, patch, apply, deleteOne]);

/** A write on a state that is not confirmed yet. */
export interface UnconfirmedWrite extends VerbRequest {
  unconfirmed: UnconfirmedState | undefined;
}

export interface LatestWrite {
  readonly attempt: AnswerAttempt;
  /** Whether the state must be confirmed first, because the last attempt used a state that was not the latest. */
  readonly confirmFirst: boolean;
  /** Returns whether the resource is still served as when the attempt began. */
  readonly isServed: () => boolean;
  readonly again: Again;
}

/**
 * Runs a write on everything that other servers have acknowledged. If memory is likely to have all of it, runs the
 * write at once: its change proves the state, or the store confirms the state before the answer. Otherwise the store
 * confirms first.
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

/** Answers a write on an unconfirmed state. If the state was not the latest, marks the attempt as invalid. */
async function proven(
  verb: UnconfirmedWrite,
  handle: VerbHandler,
  attempt: AnswerAttempt,
  state: UnconfirmedState,
): Promise<ApiResponse> {
  verb.unconfirmed = state;
  const answer = await handle(verb);
  if (state.isFinal) return answer;
  const failure = state.isOutdated ? undefined : await state.confirm();
  if (state.isOutdated) attempt.outdated();
  return failure ? answerFailure(verb, failure) : answer;
}

/** Runs a verb. */
export type VerbHandler = (verb: VerbRequest) => MaybePromise<ApiResponse>;

/** Makes another attempt; confirms the state first if `confirmFirst` is true. */
export type Again = (confirmFirst: boolean) => MaybePromise<ApiResponse>;

/** One attempt. A write marks the attempt if it must start again. Nothing has been written then. */
export class AnswerAttempt {
  #isSuperseded = false;
  #isOutdated = false;

  /** @param defined the definition of the resource, if it may change before there is an answer. */
  constructor(private readonly defined: DefinedAtRunTime | undefined) {}

  /** Called by a write of a defined resource if the resource has changed since. */
  readonly superseded = (): void => {
    this.#isSuperseded = true;
  };

  /** Marks the attempt after another server changed something that the write depends on. */
  outdated(): void {
    this.#isOutdated = true;
  }

  /**
   * Runs a handler, and tries again if the attempt is invalid: a write stored nothing because its state was outdated,
   * or a read may have used an old schema.
   */
  run(verb: VerbRequest, handle: VerbHandler, again: Again): MaybePromise<ApiResponse> {
    return thenSync(handle(verb), (answer) => {
      if (this.#isOutdated) return again(true);
      const wasReadByAnother = verb.request.method === 'GET' && this.defined?.ended.aborted === true;
      return this.#isSuperseded || wasReadByAnother ? again(false) : answer;
    });
  }
}
