/** When a follower starts again: one timer, and pauses that grow. */

/** The first pause, doubled each time, and the longest one; milliseconds. */
const firstPauseMs = 100;
const longestPauseMs = 300_000;

export class Retries {
  readonly #act: () => void;
  #nextMs = firstPauseMs;
  #timer: NodeJS.Timeout | undefined;
  #due = 0;

  constructor(act: () => void) {
    this.#act = act;
  }

  /** Acts after the next pause, which is no longer than `mostMs`. */
  backOff(mostMs = longestPauseMs): void {
    const pauseMs = Math.min(this.#nextMs, mostMs);
    this.#nextMs = Math.min(this.#nextMs * 2, longestPauseMs);
    this.after(pauseMs);
  }

  /** Acts after a pause, or sooner if that is planned already. */
  after(pauseMs: number): void {
    const due = performance.now() + pauseMs;
    if (this.#timer && this.#due <= due) return;
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#act();
    }, pauseMs).unref();
  }

  /** Pauses are short again. */
  reset(): void {
    this.#nextMs = firstPauseMs;
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
