/** Knows which requests are in progress, so that a server that closes answers them first. */
import type { MaybePromise } from '../objects/turns.js';
import type { ApiRequest, ApiResponse } from '../request/api-request.js';

/** The requests in progress of a server. */
export interface InProgress<Rest extends readonly unknown[] = []> {
  /** Answers requests; from `beginClosing` on, asks clients to come by another connection. */
  readonly handle: Answering<Rest>;
  beginClosing(): void;
  /** Resolves when there is an answer to each request that waits for one, after `atLeastMs` and before `atMostMs`. */
  settled(atLeastMs: number, atMostMs: number): Promise<void>;
}

/** Answers a request. Never throws or rejects. */
type Answering<Rest extends readonly unknown[]> = (request: ApiRequest, ...rest: Rest) => MaybePromise<ApiResponse>;

/** The interval of the check whether requests are still in progress, in milliseconds. */
const lookMs = 5;

export function defineInProgress<Rest extends readonly unknown[]>(handle: Answering<Rest>): InProgress<Rest> {
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
    handle(request, ...rest): MaybePromise<ApiResponse> {
      const answer = handle(request, ...rest);
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

/** Marks the last answer of a connection. HTTP/2 announces it in another way, and has no such header. */
const lastOf = (request: ApiRequest, answer: ApiResponse): ApiResponse =>
  ':method' in request.headers ? answer : { ...answer, headers: { ...answer.headers, connection: 'close' } };
