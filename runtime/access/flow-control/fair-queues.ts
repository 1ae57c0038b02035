/** The queues of a priority level, which are served so that flows get even shares of the time that requests cost. */
import type { AccessAttributes } from '../../contract/index.js';
import type { RefusalReason } from './refusal-reason.js';

/** Requests that are served in the order in which they came. */
export class FairQueue implements Account {
  readonly items: Waiting[] = [];
  /** The time that its requests have cost so far, by their seats; the queue with the least is served next. */
  spent = 0;
}

export class FairQueues {
  readonly #queues: readonly FairQueue[];
  /** Those with requests. Queues of an earlier count stay until they are empty. */
  readonly #active: FairQueue[] = [];
  /** Time that the queue served last had spent: one that was empty cannot save up time. */
  #time = 0;

  constructor(count: number) {
    this.#queues = Array.from({ length: count }, () => new FairQueue());
  }

  /** The queue of a hand with the fewest requests. */
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

  /** The queue that is to be served next. */
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

  /** Takes all requests for which `isOver` is. */
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

  /** Goes on with the requests of other queues, each in one of its own. */
  adopt(others: FairQueues): void {
    this.#active.push(...others.#active.splice(0));
    this.#time = others.#time;
  }

  /** The queues with requests, and their numbers; -1 for those of an earlier count. */
  *waiting(): Generator<readonly [number, FairQueue]> {
    for (const queue of this.#active) yield [this.#queues.indexOf(queue), queue];
  }
}

/** Keeps the time that requests have cost. */
export interface Account {
  /** In milliseconds, by the seats of the requests. */
  spent: number;
}

export interface Waiting {
  readonly attributes: AccessAttributes;
  /** The name of its flow schema. */
  readonly schema: string;
  /** The text that distinguishes its flow from others of the schema. */
  readonly flow: string;
  readonly seats: number;
  /** When it came, in milliseconds of `performance.now`. */
  readonly since: number;
  /** Whether its client has gone. */
  readonly isGone: () => boolean;
  /**
   * Executes it. Returns how long it is going to take besides, in milliseconds: to send its answer, and what is done in later
   * turns. The time in which it holds seats may be put down to an account.
   */
  readonly execute: (account: Account) => number;
  readonly refuse: (reason: RefusalReason) => void;
}
