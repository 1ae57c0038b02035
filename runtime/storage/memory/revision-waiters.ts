/** Those who wait for the store to reach a revision. */
import type { Revision } from '../../contract/index.js';

interface Waiter {
  readonly revision: Revision;
  readonly resolve: (reached: boolean) => void;
  readonly timer: NodeJS.Timeout;
}

/** The longest time that timers can wait, in milliseconds; longer ones would end at once. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

export class RevisionWaiters {
  readonly #waiters = new Set<Waiter>();

  /** Resolves true once `reach` was told of the revision or a later one, false after this many milliseconds. */
  wait(revision: Revision, withinMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#settle(waiter, false), Math.min(withinMs, LONGEST_WAIT_MS));
      const waiter = { revision, resolve, timer };
      this.#waiters.add(waiter);
    });
  }

  reach(revision: Revision): void {
    if (this.#waiters.size === 0) return;
    for (const waiter of this.#waiters) if (waiter.revision <= revision) this.#settle(waiter, true);
  }

  /** Lets everyone go; the revisions will not be reached. */
  close(): void {
    for (const waiter of this.#waiters) this.#settle(waiter, false);
  }

  #settle(waiter: Waiter, reached: boolean): void {
    this.#waiters.delete(waiter);
    clearTimeout(waiter.timer);
    waiter.resolve(reached);
  }
}
