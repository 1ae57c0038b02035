/** Gives up on requests that are silent for too long, for example on a dead connection. */
import type { Clock } from '../clock.js';
import { onAbort } from '../connection/on-abort.js';
import { ConnectionError } from '../errors.js';

/** Waits for each part of an answer in turn. Ends the request if a part does not come. */
export class Watchdog {
  /** Aborted by the signal of the options, or because of the silence. */
  readonly signal: AbortSignal;
  readonly #ending = new AbortController();
  readonly #unfollow: () => void;
  readonly #silenceMs: number;
  readonly #clock: Clock;

  /** `silenceMs` is how long to wait for a part; `Infinity` waits without end. */
  constructor(silenceMs: number, clock: Clock, signal: AbortSignal | undefined) {
    this.#silenceMs = silenceMs;
    this.#clock = clock;
    this.signal = this.#ending.signal;
    this.#unfollow = onAbort(signal, () => this.#ending.abort(signal?.reason));
  }

  /** Resolves as a promise does. Rejects with a `ConnectionError` if the silence is too long. */
  wait<R>(part: Promise<R>): Promise<R> {
    if (!Number.isFinite(this.#silenceMs)) return part;
    return new Promise((resolve, reject) => {
      const cancel = this.#clock.after(this.#silenceMs, () => {
        const error = new ConnectionError('an answer stopped', `nothing came for ${this.#silenceMs} ms`);
        this.#ending.abort(error);
        reject(error);
      });
      part.then(resolve, reject).finally(cancel);
    });
  }

  /** Yields the items of a stream. The consumer may take any time for each item. */
  async *each<E>(events: AsyncGenerator<E, void, undefined>): AsyncGenerator<E, void, undefined> {
    try {
      for (;;) {
        const next = await this.wait(events.next());
        if (next.done) return;
        yield next.value;
      }
    } finally {
      // The server may never answer if the connection is dead.
      events.return().catch(() => {});
      this.release();
    }
  }

  /** Ends the rest of the request, and stops listening. */
  release(): void {
    this.#unfollow();
    this.#ending.abort();
  }
}
