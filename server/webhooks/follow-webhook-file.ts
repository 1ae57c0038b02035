/** Keeps up with the file that says how to reach a webhook, and with the certificates and keys that it names. */
import type { OptionName } from '../option-error.js';
import { stateOf } from '../transport/reloaded.js';
import { readWebhookFile, type WebhookConnection } from './webhook-file.js';

/** Files are looked at when a call is made, and no more often than this, milliseconds. */
const everyMs = 1000;

/**
 * Returns what the file says at the time of each call. Throws an `OptionError` where it cannot be used at first; later on
 * what was read before stays in use, and the problem is told once.
 */
export function followWebhookFile(
  option: OptionName,
  path: string,
  onProblem: (problem: string) => void,
): () => WebhookConnection {
  let connection = readWebhookFile(option, path);
  let read = stateOf(connection.paths);
  let lookedAt = performance.now();
  return () => {
    const now = performance.now();
    if (now - lookedAt < everyMs) return connection;
    lookedAt = now;
    const state = stateOf(connection.paths);
    if (state === read) return connection;
    read = state;
    try {
      connection = readWebhookFile(option, path);
    } catch (error) {
      onProblem(`what was read before stays in use: ${error instanceof Error ? error.message : String(error)}`);
    }
    return connection;
  };
}
