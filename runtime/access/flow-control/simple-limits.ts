/** The interface of limits on requests in flight, and a simple one: on all requests. */
import type { AccessAttributes } from '../../contract/index.js';
import { tooManyRequests } from '../../objects/status.js';
import type { MaybePromise } from '../../objects/turns.js';
import { type ApiRequest, type ApiResponse, isStreamed } from '../../request/api-request.js';
import { answerFailure } from '../../request/responses.js';
import { isConnection, isMutating } from '../authorization.js';

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

/** The most requests in flight; 0 for no limit. */
export interface InFlightLimits {
  readonly reading: number;
  readonly mutating: number;
}

/** Requests of this group are never refused. */
const privileged = 'system:masters';

/**
 * Limits the requests in flight. Requests that are answered synchronously only count until the end of their turn of the
 * event loop; `turn` returns its number.
 */
export function limitInFlight(limits: InFlightLimits, turn: () => number): LimitRequests {
  const reading = new InFlight(limits.reading);
  const mutating = new InFlight(limits.mutating);
  const areOf = (attributes: AccessAttributes): InFlight => (isMutating(attributes) ? mutating : reading);
  return (_request, attributes, run) => {
    const kind = areOf(attributes);
    if (kind.most === 0 || isLongRunning(attributes)) return run();
    if (!kind.hasRoom(turn()) && !attributes.user.groups.includes(privileged)) return answerTooMany();
    const answer = run();
    if (!(answer instanceof Promise)) {
      kind.passed();
      return answer;
    }
    kind.now++;
    const done = (): void => {
      kind.now--;
    };
    return answer.then(
      (known) => whenDone(known, done),
      (error: unknown) => {
        done();
        throw error;
      },
    );
  };
}

class InFlight {
  now = 0;
  #turn = -1;
  /** The requests that were answered synchronously in this turn. */
  #passed = 0;

  constructor(readonly most: number) {}

  hasRoom(turn: number): boolean {
    if (turn !== this.#turn) {
      this.#turn = turn;
      this.#passed = 0;
    }
    return this.now + this.#passed < this.most;
  }

  passed(): void {
    this.#passed++;
  }
}

/** Reports whether a request has no expected end: connections and watches. */
const isLongRunning = (attributes: AccessAttributes): boolean =>
  (attributes.verb === 'watch' && !('path' in attributes)) || isConnection(attributes);
