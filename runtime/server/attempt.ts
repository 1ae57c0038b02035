/** One attempt to answer a request for a resource whose definition may change before there is an answer. */
import { type MaybePromise, thenSync } from '../objects/maybe-promise.js';
import type { DefinedAtRunTime } from '../pipeline/served-resource.js';
import type { ApiResponse } from '../verbs/api-request.js';
import type { VerbRequest } from '../verbs/verb-request.js';

/** Carries out a verb. */
export type VerbHandler = (verb: VerbRequest) => MaybePromise<ApiResponse>;

/** One attempt. */
export interface Attempt {
  /** Called where nothing was written because the definition has changed. */
  readonly superseded: () => void;
  /** A handler that answers by `again` where the resource was no longer served as it was when the attempt began. */
  readonly orAgain: (handle: VerbHandler, again: () => MaybePromise<ApiResponse>) => VerbHandler;
}

/** Begins an attempt. What a write has stored stands; a read may have used another schema, and is made again. */
export function defineAttempt({ ended }: DefinedAtRunTime): Attempt {
  let isSuperseded = false;
  return {
    superseded() {
      isSuperseded = true;
    },
    orAgain: (handle, again) => (verb) =>
      thenSync(handle(verb), (answer) =>
        isSuperseded || (verb.request.method === 'GET' && ended.aborted) ? again() : answer,
      ),
  };
}
