/** The simple limit on requests: a maximum of reads and of writes in flight, for all users together. */
import type { AccessAttributes } from '../../contract/index.js';
import { answerTooMany, type LimitRequests, whenDone } from './limiting.js';

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

/** Subresources that connect to the program behind an object. */
const lasting = new Set(['attach', 'exec', 'log', 'portforward', 'proxy']);

/** Reports whether a request is a connection to the program behind an object, which either side may end. */
export const isConnection = (attributes: AccessAttributes): boolean =>
  attributes.verb === 'proxy' || (!('path' in attributes) && lasting.has(attributes.subresource ?? ''));

/** Reports whether a request has no expected end: connections and watches. */
const isLongRunning = (attributes: AccessAttributes): boolean =>
  (attributes.verb === 'watch' && !('path' in attributes)) || isConnection(attributes);

/** Reports whether a request may change something, by its verb. */
export const isMutating = ({ verb }: AccessAttributes): boolean => !reading.has(verb);

const reading = new Set(['get', 'head', 'list', 'watch', 'options']);
