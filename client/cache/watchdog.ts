/** Gives up on requests that are silent for too long, as those over a connection are whose other end is gone. */
import type { Clock } from '../clock.js';
import { onAbort } from '../connection/on-abort.js';
import { ConnectionError } from '../errors.js';

/** Waits for the parts of one request after another; ends it where one does not come. */
export class Watchdog {
  /** Ends the request: by the signal of the options, or because of the silence. */
  readonly signal: AbortSignal;
  readonly #ending = new AbortController();
  readonly #unfollow: () => void;
  readonly #silenceMs: number;
  readonly #clock: Clock;

  /** `silenceMs` is how long a part may take to come; without end where it is infinite. */
  constructor(silenceMs: number, clock: Clock, signal: AbortSignal | undefined) {
    this.#silenceMs = silenceMs;
    this.#clock = clock;
    this.signal = this.#ending.signal;
    this.#unfollow = onAbort(signal, () => this.#ending.abort(signal?.reason));
  }

  /** The outcome of a promise, or a `ConnectionError` after the silence. */
  wait<R>(part: Promise<R>): Promise<R> {
    if (!Number.isFinite(this.#silenceMs)) return part;
    return new Promise((resolve, reject) => {
      const cancel = this.#clock.after(this.#silenceMs, () => {
        const error = new ConnectionError('an answer does not go on', `nothing came for ${this.#silenceMs} ms`);
        this.#ending.abort(error);
        reject(error);
      });
      part.then(resolve, reject).finally(cancel);
    });
  }

  /** The items of a stream. A consumer may take its time with each. */
  async *each<E>(events: AsyncGenerator<E, void, undefined>): AsyncGenerator<E, void, undefined> {
    try {
      for (;;) {
        const next = await this.wait(events.next());
        if (next.done) return;
        yield next.value;
      }
    } finally {
      // It may never answer, where the other end is gone.
      events.return().catch(() => {});
      this.release();
    }
  }

  /** Ends what is left of the request, and listens no longer. */
  release(): void {
    this.#unfollow();
    this.#ending.abort();
  }
}
