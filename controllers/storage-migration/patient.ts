/** Lets a client wait for as long as a server asks. */
import type { ClientOptions } from '../../client/index.js';

/** The longest pause that a server can ask for, milliseconds. */
const longestPauseMs = 300_000;

/** Returns options that never give up: the client retries whenever the server asks for it. */
export const patient = (client: ClientOptions): ClientOptions => ({
  ...client,
  retry: { ...client.retry, retries: Number.POSITIVE_INFINITY, maxDelayMs: longestPauseMs },
});
