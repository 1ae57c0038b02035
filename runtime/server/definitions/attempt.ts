/** One attempt to answer a request for a resource that may be served in another way before it has been answered. */
import type { DefinedAtRunTime } from '../../pipeline/served-resource.js';
import type { Answer } from '../../verbs/exchange.js';
import type { VerbRequest } from '../../verbs/verb-request.js';

/** A verb, its request known. */
export type Handler = (verb: VerbRequest) => Answer | Promise<Answer>;

export interface Attempt {
  /** To be told where nothing was written because the definition has changed. */
  readonly superseded: () => void;
  /** The verb; where its answer would be that of a resource which is no longer served so, `again` answers instead. */
  readonly orAgain: (handle: Handler, again: () => Answer | Promise<Answer>) => Handler;
}

/** Begins an attempt. What a write has stored stands; what was only read may have been read by another schema. */
export function defineAttempt({ ended }: DefinedAtRunTime): Attempt {
  let isSuperseded = false;
  return {
    superseded() {
      isSuperseded = true;
    },
    orAgain: (handle, again) => async (verb) => {
      const answer = await handle(verb);
      return isSuperseded || (verb.request.method === 'GET' && ended.aborted) ? again() : answer;
    },
  };
}
