/** Gives up on requests that take too long. */
import { systemClock } from '../clock.js';
import { ConnectionError } from '../errors.js';
import type { Transport, TransportRequest, TransportResponse } from '../transport.js';
import { isWatch } from './is-watch.js';
import { onAbort } from './on-abort.js';

/**
 * Wraps a transport. Limits each request to its own `timeoutMs`, or else to `usualMs`. The limit covers the whole
 * answer, or the time until a watch starts. A longer request rejects with a `ConnectionError`, although the server may
 * have executed it.
 */
export function limitingTime(transport: Transport, usualMs?: number): Transport {
  return {
    async send(request) {
      const ms = request.timeoutMs ?? usualMs;
      if (ms === undefined) return transport.send(request);
      const limit = new Limit(request, ms);
      try {
        const response = await transport.send({ ...request, signal: limit.signal });
        if (isWatch(request)) limit.lift();
        return limited(response, limit);
      } catch (error) {
        limit.end();
        throw error;
      }
    },
  };
}

/** Ends a request when its time is over, or when the caller ends it. */
class Limit {
  readonly #controller = new AbortController();
  /** Removes the time limit: from now on, only the caller ends the request. */
  readonly lift: () => void;
  readonly #unfollow: () => void;

  constructor({ signal, method, path }: TransportRequest, ms: number) {
    const late = (): void =>
      this.#controller.abort(new ConnectionError(`no answer to ${method} ${path.split('?')[0]}`, `${ms} ms are over`));
    this.lift = systemClock.after(ms, late);
    this.#unfollow = onAbort(signal, () => this.#controller.abort(signal?.reason));
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  end(): void {
    this.lift();
    this.#unfollow();
  }
}

const limited = (response: TransportResponse, limit: Limit): TransportResponse => ({
  status: response.status,
  header: (name) => response.header(name),
  text: () => response.text().finally(() => limit.end()),
  chunks: async function* () {
    try {
      yield* response.chunks();
    } finally {
      limit.end();
    }
  },
});
