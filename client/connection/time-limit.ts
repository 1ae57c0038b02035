/** Gives up on requests that take too long. */
import { ConnectionError } from '../errors.js';
import type { Transport, TransportRequest, TransportResponse } from '../transport.js';
import { isWatch } from './is-watch.js';

/**
 * Wraps a transport: a request takes no longer than `timeoutMs` of its own, or else than `usualMs`, until its answer has been
 * read; of a watch, until its answer begins. One that does rejects with `ConnectionError`: the server may have done it.
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

/** Calls a request off when its time is up, or when the caller does. */
class Limit {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #follow = (): void => this.#controller.abort(this.#caller?.reason);

  constructor({ signal, method, path }: TransportRequest, ms: number) {
    this.#caller = signal;
    const late = (): void =>
      this.#controller.abort(new ConnectionError(`no answer to ${method} ${path.split('?')[0]}`, `${ms} ms are over`));
    this.#timer = setTimeout(late, ms);
    if (signal?.aborted) this.#follow();
    signal?.addEventListener('abort', this.#follow, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Only the caller calls it off from now on. */
  lift(): void {
    clearTimeout(this.#timer);
  }

  end(): void {
    this.lift();
    this.#caller?.removeEventListener('abort', this.#follow);
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
