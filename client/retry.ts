/**
 * Retries requests that are safe to send again: a busy server has not executed them, they never arrived, or they are
 * reads.
 */
import { sleep } from './clock.js';
import { ConnectionError, toApiError } from './errors.js';
import type { Transport, TransportRequest, TransportResponse } from './transport.js';

/** How often and how long a client retries. */
export interface RetryOptions {
  /** Retries after the first attempt if the server is busy. Default: 5; 0 never retries. */
  readonly retries?: number;
  /** Retries of a read after its connection broke before the answer. Default: 1. */
  readonly brokenReads?: number;
  /** First pause in milliseconds. Each attempt doubles it. Default: 100. */
  readonly initialDelayMs?: number;
  /** Longest pause in milliseconds. If `Retry-After` asks for a longer one, the client gives up. Default: 30 000. */
  readonly maxDelayMs?: number;
}

/**
 * Wraps a transport. Does not send a write again after any other answer, or without one: the server may have executed
 * it.
 */
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

/** Makes the error for a caller without time left. The last answer gives the reason. */
const whileBusy = ({ message }: ConnectionError, { status }: TransportResponse, body: string): ConnectionError =>
  new ConnectionError(message, toApiError(status, body));

/**
 * Returns whether to repeat a read that broke off, for example because the server closed an idle connection. Does not
 * repeat a read if the server cannot be reached.
 */
export const mayRepeat = ({ method, signal }: Pick<TransportRequest, 'method' | 'signal'>, error: unknown): boolean =>
  method === 'GET' && !signal?.aborted && error instanceof ConnectionError && !wasNotReached(error);

/** Node's error codes for servers that could not be reached. */
const unreached = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'];

function wasNotReached(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && unreached.includes(String(error.code))) || wasNotReached(error.cause);
}

/**
 * Returns whether a server asks for a retry: a 429, or a 503 with `Retry-After`, says that the server executed nothing.
 * Another 503 may come from a proxy, so the client repeats only reads.
 */
const asksForRetry = ({ method }: TransportRequest, response: TransportResponse): boolean =>
  response.status === 429 || (response.status === 503 && (method === 'GET' || response.header('retry-after') !== ''));

/** Returns `Retry-After` in milliseconds: seconds, or a date (RFC 9110 §10.2.3). */
function retryAfterMs(response: TransportResponse): number | undefined {
  const value = response.header('retry-after');
  if (value === '') return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** Waits; rejects at once when the signal is aborted. */
export async function pause(ms: number, { signal }: Pick<TransportRequest, 'signal'>): Promise<void> {
  await sleep(ms, signal);
  signal?.throwIfAborted();
}
