/** The timers of one watch. They run on the server's own clock, if it has one. */
import type { Clock } from '../contract/index.js';

export class WatchTimers {
  readonly #after: Clock['after'] | undefined;
  readonly #timers: NodeJS.Timeout[] = [];
  /** Functions that cancel the waiting timers of the server's own clock. */
  readonly #waiting = new Set<() => void>();

  constructor(after: Clock['after'] | undefined) {
    this.#after = after;
  }

  once(ms: number, act: () => void): void {
    if (this.#after) this.#wait(this.#after, ms, act);
    else this.#timers.push(setTimeout(act, ms));
  }

  every(ms: number, act: () => void): void {
    const after = this.#after;
    if (!after) {
      this.#timers.push(setInterval(act, ms));
      return;
    }
    const again = (): void =>
      this.#wait(after, ms, () => {
        again();
        act();
      });
    again();
  }

  clear(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.length = 0;
    for (const callOff of this.#waiting) callOff();
    this.#waiting.clear();
  }

  #wait(after: Clock['after'], ms: number, act: () => void): void {
    const callOff = after(ms, () => {
      this.#waiting.delete(callOff);
      act();
    });
    this.#waiting.add(callOff);
  }
}
