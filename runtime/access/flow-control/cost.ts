/** Estimates what a request costs besides its handling, which nobody can measure while it is handled. */
import type { MaybePromise } from '../../objects/turns.js';
import type { ApiResponse } from '../../request/api-request.js';

/** To read a request and to begin its answer, milliseconds. */
const transportMs = 0.02;

/** Work of later turns: a write is decoded, committed and encoded then. */
const laterMs = 0.1;

/** To send a body, for each byte. */
const byteMs = 5e-7;

/** Milliseconds that a request is going to take from where its handler has returned. */
export function unseenMs(answer: MaybePromise<ApiResponse>): number {
  if (answer instanceof Promise) return transportMs + laterMs;
  const { body } = answer;
  if (body instanceof Uint8Array) return transportMs + body.length * byteMs;
  if ('stream' in body) return transportMs + laterMs;
  return transportMs + body.reduce((bytes, chunk) => bytes + chunk.length, 0) * byteMs;
}
