/** Knows which requests are in progress, so that a server that closes answers them first. */
import type { MaybePromise } from '../objects/maybe-promise.js';
import type { ApiRequest, ApiResponse, Handle } from '../verbs/api-request.js';

/** The requests in progress of a server. */
export interface InProgress {
  /** Answers requests, and tells clients from `beginClosing` on to come by another connection. */
  readonly handle: Handle;
  beginClosing(): void;
  /** Resolves when there is an answer to each request that waits for one, after `atLeastMs` and before `atMostMs`. */
  settled(atLeastMs: number, atMostMs: number): Promise<void>;
}

/** How often it is looked whether requests are still in progress, milliseconds. */
const lookMs = 5;

export function defineInProgress(handle: Handle): InProgress {
  let waiting = 0;
  let isClosing = false;
  const last = (request: ApiRequest, answer: ApiResponse): ApiResponse =>
    isClosing ? lastOf(request, answer) : answer;
  const answerLater = async (request: ApiRequest, answer: Promise<ApiResponse>): Promise<ApiResponse> => {
    waiting++;
    try {
      return last(request, await answer);
    } finally {
      waiting--;
    }
  };
  return {
    handle(request): MaybePromise<ApiResponse> {
      const answer = handle(request);
      return answer instanceof Promise ? answerLater(request, answer) : last(request, answer);
    },
    beginClosing() {
      isClosing = true;
    },
    async settled(atLeastMs, atMostMs) {
      const began = performance.now();
      for (;;) {
        const passed = performance.now() - began;
        if (passed >= atMostMs || (passed >= atLeastMs && waiting === 0)) return;
        await new Promise((resolve) => setTimeout(resolve, lookMs));
      }
    },
  };
}

/** The last answer of a connection. HTTP/2 says so in another way, and has no such header. */
const lastOf = (request: ApiRequest, answer: ApiResponse): ApiResponse =>
  ':method' in request.headers ? answer : { ...answer, headers: { ...answer.headers, connection: 'close' } };
