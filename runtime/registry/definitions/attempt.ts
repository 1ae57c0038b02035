/** One attempt to answer a request for a resource that may be served in another way before it has been answered. */
import { type MaybePromise, thenSync } from '../../objects/maybe-promise.js';
import type { DefinedAtRunTime } from '../../pipeline/served-resource.js';
import type { ApiResponse } from '../../verbs/api-request.js';
import type { VerbRequest } from '../../verbs/verb-request.js';

/** A verb, its request known. */
export type Handler = (verb: VerbRequest) => MaybePromise<ApiResponse>;

export interface Attempt {
  /** To be told where nothing was written because the definition has changed. */
  readonly superseded: () => void;
  /** The verb; where its answer would be that of a resource which is no longer served so, `again` answers instead. */
  readonly orAgain: (handle: Handler, again: () => MaybePromise<ApiResponse>) => Handler;
}

/** Begins an attempt. What a write has stored stands; what was only read may have been read by another schema. */
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
