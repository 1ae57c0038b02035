/** The interface of what limits the requests in progress, and the answer to a request that is one too many. */
import type { AccessAttributes } from '../../contract/index.js';
import { tooManyRequests } from '../../objects/status.js';
import type { MaybePromise } from '../../objects/turns.js';
import { type ApiRequest, type ApiResponse, isStreamed } from '../../request/api-request.js';
import { answerFailure } from '../../request/responses.js';

/** Answers a request by `run`, now or when its turn comes, or refuses it. */
export type LimitRequests = (
  request: ApiRequest,
  attributes: AccessAttributes,
  run: () => MaybePromise<ApiResponse>,
) => MaybePromise<ApiResponse>;

/** The answer to a request that is one too many: 429 with `Retry-After`. */
export const answerTooMany = (): ApiResponse =>
  answerFailure(undefined, tooManyRequests('Too many requests, please try again later.', 1));

/** The answer, with something called once it needs the server no more: a stream that ends by itself, when it has ended. */
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
