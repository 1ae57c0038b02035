/** Sends requests again where the server asks for it: on 429 and 503, after the time it names or a growing one. */
import type { Transport, TransportRequest, TransportResponse } from './transport.js';

/** How patient a client is. */
export interface RetryOptions {
  /** Attempts after the first; 5 where not given, 0 to give up at once. */
  readonly retries?: number;
  /** First pause in milliseconds, doubled with each attempt; 100 where not given. */
  readonly initialDelayMs?: number;
  /** Longest pause in milliseconds, also for a `Retry-After`; 30 000 where not given. */
  readonly maxDelayMs?: number;
}

/** Wraps a transport. A request that is answered otherwise, or not at all, is not sent again: it may have been done. */
export function retrying(transport: Transport, options: RetryOptions = {}): Transport {
  const { retries = 5, initialDelayMs = 100, maxDelayMs = 30_000 } = options;
  return {
    async send(request) {
      for (let attempt = 0; ; attempt++) {
        const response = await transport.send(request);
        if (attempt >= retries || !asksForRetry(response)) return response;
        await response.text();
        const growing = initialDelayMs * 2 ** attempt * (0.5 + Math.random());
        await pause(Math.min(retryAfterMs(response) ?? growing, maxDelayMs), request);
      }
    },
  };
}

const asksForRetry = ({ status }: TransportResponse): boolean => status === 429 || status === 503;

/** `Retry-After` in milliseconds: seconds, or a date (RFC 9110 §10.2.3). */
function retryAfterMs(response: TransportResponse): number | undefined {
  const value = response.header('retry-after');
  if (value === '') return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** Waits; rejects at once when the request is called off. */
export function pause(ms: number, { signal }: Pick<TransportRequest, 'signal'>): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
