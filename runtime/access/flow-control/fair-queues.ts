/** The queues of a priority level. They give each flow an even share of the server's time. */
import type { AccessAttributes } from '../../contract/index.js';
import type { RefusalReason } from './flow-observer.js';

/** Requests in order of arrival. */
export class FairQueue implements Account {
  readonly items: Waiting[] = [];
  /** The time that its requests have cost, weighted by seats. The queue with the least time is served next. */
  spent = 0;
}

export class FairQueues {
  readonly #queues: readonly FairQueue[];
  /** The queues with requests. Queues of an earlier configuration stay until they are empty. */
  readonly #active: FairQueue[] = [];
  /** The time spent by the queue served last: an empty queue cannot save up time. */
  #time = 0;

  constructor(count: number) {
    this.#queues = Array.from({ length: count }, () => new FairQueue());
  }

  /** Returns the queue of a hand with the fewest requests. */
  shortest(hand: readonly number[]): FairQueue | undefined {
    let best: FairQueue | undefined;
    for (const at of hand) {
      const queue = this.#queues[at];
      if (queue && (!best || queue.items.length < best.items.length)) best = queue;
    }
    return best;
  }

  add(queue: FairQueue, item: Waiting): void {
    if (queue.items.push(item) > 1) return;
    queue.spent = Math.max(queue.spent, this.#time);
    this.#active.push(queue);
  }

  /** Returns the queue to serve next. */
  next(): FairQueue | undefined {
    let best: FairQueue | undefined;
    for (const queue of this.#active) {
      if (!best || queue.spent < best.spent) best = queue;
    }
    return best;
  }

  /** Takes the first request of a queue. */
  take(queue: FairQueue): Waiting | undefined {
    this.#time = Math.max(this.#time, queue.spent);
    const item = queue.items.shift();
    if (queue.items.length === 0) this.#active.splice(this.#active.indexOf(queue), 1);
    return item;
  }

  /** Takes all requests that `isOver` selects. */
  takeAll(isOver: (item: Waiting) => boolean): readonly Waiting[] {
    const taken: Waiting[] = [];
    for (const queue of [...this.#active]) {
      const over = queue.items.filter(isOver);
      if (over.length === 0) continue;
      taken.push(...over);
      const rest = queue.items.filter((item) => !over.includes(item));
      queue.items.splice(0, queue.items.length, ...rest);
      if (rest.length === 0) this.#active.splice(this.#active.indexOf(queue), 1);
    }
    return taken;
  }

  /** Takes over the requests of other queues, and keeps each of these queues. */
  adopt(others: FairQueues): void {
    this.#active.push(...others.#active.splice(0));
    this.#time = others.#time;
  }

  /** Yields the queues with requests, and their numbers; -1 for queues of an earlier configuration. */
  *waiting(): Generator<readonly [number, FairQueue]> {
    for (const queue of this.#active) yield [this.#queues.indexOf(queue), queue];
  }
}

/** Keeps the time that requests have cost. */
export interface Account {
  /** In milliseconds, weighted by the seats of the requests. */
  spent: number;
}

export interface Waiting {
  readonly attributes: AccessAttributes;
  readonly schema: string;
  /** The text that distinguishes its flow from others of the schema. */
  readonly flow: string;
  readonly seats: number;
  /** The time of arrival, in milliseconds of `performance.now`. */
  readonly since: number;
  /** Reports whether its client has disconnected. */
  readonly isGone: () => boolean;
  /**
   * Executes the request. Returns the milliseconds that it will still take, to send its answer and for work in later
   * turns. Charges the time with seats to an account.
   */
  readonly execute: (account: Account) => number;
  readonly refuse: (reason: RefusalReason) => void;
}
