/** The simple limit on requests: so many that read and so many that write may be in progress, whoever they are from. */
import type { AccessAttributes } from '../../contract/index.js';
import { answerTooMany, type LimitRequests, whenDone } from './limiting.js';

/** Requests in progress, at most; 0 for any number. */
export interface InFlightLimits {
  readonly reading: number;
  readonly mutating: number;
}

/** Members of this group are never refused. */
const privileged = 'system:masters';

/**
 * Limits the requests in progress. Requests that are answered at once are none: they count in the turn of the event loop in
 * which they came, `turn` being its number.
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
  /** Those that were answered at once in this turn. */
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

/** Connections to what is behind an object. */
const lasting = new Set(['attach', 'exec', 'log', 'portforward', 'proxy']);

/** Whether a request is a connection to what is behind an object, which ends when one of both sides wants. */
export const isConnection = (attributes: AccessAttributes): boolean =>
  attributes.verb === 'proxy' || (!('path' in attributes) && lasting.has(attributes.subresource ?? ''));

/** Whether nobody waits for the end of a request: watches, too. */
const isLongRunning = (attributes: AccessAttributes): boolean =>
  (attributes.verb === 'watch' && !('path' in attributes)) || isConnection(attributes);

/** Whether a request may change something, by its verb. */
export const isMutating = ({ verb }: AccessAttributes): boolean => !reading.has(verb);

const reading = new Set(['get', 'head', 'list', 'watch', 'options']);
