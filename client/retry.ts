/**
 * Sends requests again that may be sent again: those that the server has not done and wants later, those that it cannot have
 * got, and reads.
 */
import { sleep } from './clock.js';
import { ConnectionError, toApiError } from './errors.js';
import type { Transport, TransportRequest, TransportResponse } from './transport.js';

/** How patient a client is. */
export interface RetryOptions {
  /** Attempts after the first where the server is busy; 5 where not given, 0 to give up at once. */
  readonly retries?: number;
  /** Attempts after the first of a read whose connection broke before the answer; 1 where not given. */
  readonly brokenReads?: number;
  /** First pause in milliseconds, doubled with each attempt; 100 where not given. */
  readonly initialDelayMs?: number;
  /**
   * Longest pause in milliseconds; where `Retry-After` asks for a longer one, the answer is not waited for. 30 000
   * where not given.
   */
  readonly maxDelayMs?: number;
}

/** Wraps a transport. A write that is answered otherwise, or not at all, is not sent again: it may have been done. */
export function retrying(transport: Transport, options: RetryOptions = {}): Transport {
  const { retries = 5, brokenReads = 1, initialDelayMs = 100, maxDelayMs = 30_000 } = options;
  return {
    async send(request) {
      const growing = (attempt: number): number => initialDelayMs * 2 ** attempt * (0.5 + Math.random());
      let broken = 0;
      for (let attempt = 0; ; attempt++) {
        const response = await transport.send(request).catch((error: unknown) => {
          if (broken++ < brokenReads && mayRepeat(request, error)) return undefined;
          throw error;
        });
        if (response === undefined) {
          await pause(Math.min(growing(attempt), maxDelayMs), request);
          continue;
        }
        const named = retryAfterMs(response);
        const isLast = attempt >= retries || (named !== undefined && named > maxDelayMs);
        if (isLast || !asksForRetry(request, response)) return response;
        const body = await response.text();
        await pause(named ?? Math.min(growing(attempt), maxDelayMs), request).catch((reason: unknown) => {
          throw reason instanceof ConnectionError ? whileBusy(reason, response, body) : reason;
        });
      }
    },
  };
}

/** The time is over for which a caller waits; the last answer says why there is no other. */
const whileBusy = ({ message }: ConnectionError, { status }: TransportResponse, body: string): ConnectionError =>
  new ConnectionError(message, toApiError(status, body));

/**
 * A read that broke off, as connections do that the server closed while they were idle. A server that is not there
 * stays away.
 */
const mayRepeat = ({ method, signal }: TransportRequest, error: unknown): boolean =>
  method === 'GET' && !signal?.aborted && error instanceof ConnectionError && !wasNotReached(error);

/** Codes of Node for servers that could not be reached. */
const unreached = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'];

function wasNotReached(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && unreached.includes(String(error.code))) || wasNotReached(error.cause);
}

/**
 * 429 says that nothing was done, and so does a 503 that says when to come again. Another 503 may come from a proxy that does
 * not know: only reads are sent again.
 */
const asksForRetry = ({ method }: TransportRequest, response: TransportResponse): boolean =>
  response.status === 429 || (response.status === 503 && (method === 'GET' || response.header('retry-after') !== ''));

/** `Retry-After` in milliseconds: seconds, or a date (RFC 9110 §10.2.3). */
function retryAfterMs(response: TransportResponse): number | undefined {
  const value = response.header('retry-after');
  if (value === '') return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** Waits; rejects at once when the request is called off. */
export async function pause(ms: number, { signal }: Pick<TransportRequest, 'signal'>): Promise<void> {
  await sleep(ms, signal);
  signal?.throwIfAborted();
}
