/** Connections that wait as long as a server asks them to. */
import type { ClientOptions } from '../../client/index.js';

/** The longest pause that a server can ask for, milliseconds. */
const longestPauseMs = 300_000;

/** The same connection; requests that the server has no time for are sent again when it says, and not given up. */
export const patient = (client: ClientOptions): ClientOptions => ({
  ...client,
  retry: { ...client.retry, retries: Number.POSITIVE_INFINITY, maxDelayMs: longestPauseMs },
});
