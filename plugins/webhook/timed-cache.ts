/** Keeps what webhooks have said for a while: a bounded number of answers, those that were asked for last. */

/** The most answers that are kept. */
export const mostKept = 8192;

interface Kept<T> {
  readonly value: T;
  readonly until: number;
}

export class TimedCache<T> {
  readonly #clock: () => number;
  /** In the order in which they were last asked for. */
  readonly #kept = new Map<string, Kept<T>>();

  /** `clock` tells milliseconds. */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  get(key: string): T | undefined {
    const kept = this.#kept.get(key);
    if (!kept) return undefined;
    this.#kept.delete(key);
    if (this.#clock() >= kept.until) return undefined;
    this.#kept.set(key, kept);
    return kept.value;
  }

  /** Keeps an answer for so many milliseconds; with none, not at all. */
  set(key: string, value: T, ttlMs: number): void {
    this.#kept.delete(key);
    if (ttlMs <= 0) return;
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= mostKept && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(key, { value, until: this.#clock() + ttlMs });
  }
}
