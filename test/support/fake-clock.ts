/** A clock that moves only when a test moves it. */
import type { Clock } from '../../client/index.js';

export class FakeClock implements Clock {
  #now = 0;
  readonly #startMs: number;

  /** `startMs` is the wall time at the start, in milliseconds since 1970. */
  constructor(startMs = Date.UTC(2024, 0, 1)) {
    this.#startMs = startMs;
  }
  readonly #timers = new Set<{ readonly due: number; readonly act: () => void }>();

  monotonicMs(): number {
    return this.#now;
  }

  wallMs(): number {
    return this.#startMs + this.#now;
  }

  after(ms: number, act: () => void): () => void {
    const timer = { due: this.#now + Math.max(ms, 0), act };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** Moves forward, timer after timer. After each timer, waits until its effects have run. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      const [next] = [...this.#timers].filter(({ due }) => due <= end).sort((a, b) => a.due - b.due);
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#now = next.due;
      next.act();
      await settled();
    }
    this.#now = end;
    await settled();
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
