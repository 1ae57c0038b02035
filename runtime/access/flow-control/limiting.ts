/** The interface of limits on requests in flight, and the answer to a request above the limit. */
import type { AccessAttributes } from '../../contract/index.js';
import { tooManyRequests } from '../../objects/status.js';
import type { MaybePromise } from '../../objects/turns.js';
import { type ApiRequest, type ApiResponse, isStreamed } from '../../request/api-request.js';
import { answerFailure } from '../../request/responses.js';

/** Answers a request with `run`, now or at its turn, or refuses it. */
export type LimitRequests = (
  request: ApiRequest,
  attributes: AccessAttributes,
  run: () => MaybePromise<ApiResponse>,
) => MaybePromise<ApiResponse>;

/** Returns the answer to a request above the limit: 429 with `Retry-After`. */
export const answerTooMany = (): ApiResponse =>
  answerFailure(undefined, tooManyRequests('Too many requests, please try again later.', 1));

/** Calls a function once the answer no longer needs the server: at the end of a stream, else at once. */
export function whenDone(answer: ApiResponse, done: () => void): ApiResponse {
  const { body } = answer;
  if (!isStreamed(body) || !body.ends) {
    done();
    return answer;
  }
  let isDone = false;
  const once = (): void => {
    if (!isDone) done();
    isDone = true;
  };
  const { stream, abandoned } = body;
  return {
    ...answer,
    body: {
      ...body,
      stream(sink) {
        const stop = stream(sink);
        return () => {
          stop();
          once();
        };
      },
      abandoned() {
        abandoned?.();
        once();
      },
    },
  };
}
