/** One attempt to answer a request, which is made again where it was made on what is no longer so. */
import { type MaybePromise, thenSync } from '../objects/turns.js';
import type { ApiResponse } from '../request/api-request.js';
import type { VerbRequest } from '../request/verb-request.js';
import type { DefinedAtRunTime } from '../resource/served-resource.js';

/** Carries out a verb. */
export type VerbHandler = (verb: VerbRequest) => MaybePromise<ApiResponse>;

/**
 * Makes another attempt. It confirms first that it builds on the latest state where this one has not, and was told that
 * it should have.
 */
export type Again = (confirmFirst: boolean) => MaybePromise<ApiResponse>;

/** One attempt. It is told why it has to be made again; nothing has been written then. */
export class Attempt {
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
