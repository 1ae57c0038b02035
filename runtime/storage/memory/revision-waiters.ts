/** Waiters for the store to reach a revision. */
import type { Revision } from '../../contract/index.js';

interface Waiter {
  readonly revision: Revision;
  /** The time to give up, by `performance.now()`. */
  readonly until: number;
  readonly resolve: (reached: boolean) => void;
}

/** The longest time that timers can wait, in milliseconds; longer ones would end at once. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/** Keeps waiters in the order of their revisions, in which almost all of them come, with one timer in all. */
export class RevisionWaiters {
  #waiters: Waiter[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** The end of the timer. */
  #timedFor = Number.POSITIVE_INFINITY;

  /** Resolves true once `reach` was called with the revision or a later one, false after this many milliseconds. */
  wait(revision: Revision, withinMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const until = performance.now() + Math.min(withinMs, LONGEST_WAIT_MS);
      const behind = this.#waiters.findLastIndex((waiter) => waiter.revision <= revision) + 1;
      const waiter = { revision, until, resolve };
      if (behind === this.#waiters.length) this.#waiters.push(waiter);
      else this.#waiters.splice(behind, 0, waiter);
      if (until < this.#timedFor) this.#setTimer(until);
    });
  }

  reach(revision: Revision): void {
    const first = this.#waiters[0];
    if (!first || first.revision > revision) return;
    const count = this.#waiters.findLastIndex((waiter) => waiter.revision <= revision) + 1;
    for (const { resolve } of this.#waiters.splice(0, count)) resolve(true);
    if (this.#waiters.length === 0) this.#setTimer(Number.POSITIVE_INFINITY);
  }

  /** Lets everyone go; the revisions will not be reached. */
  close(): void {
    for (const { resolve } of this.#waiters.splice(0)) resolve(false);
    this.#setTimer(Number.POSITIVE_INFINITY);
  }

  #setTimer(until: number): void {
    clearTimeout(this.#timer);
    this.#timedFor = until;
    if (until === Number.POSITIVE_INFINITY) return;
    this.#timer = setTimeout(() => this.#giveUp(), Math.max(0, Math.ceil(until - performance.now())));
  }

  #giveUp(): void {
    const now = performance.now();
    const late = this.#waiters.filter(({ until }) => until <= now);
    this.#waiters = this.#waiters.filter(({ until }) => until > now);
    for (const { resolve } of late) resolve(false);
    this.#setTimer(this.#waiters.reduce((first, { until }) => Math.min(first, until), Number.POSITIVE_INFINITY));
  }
}
