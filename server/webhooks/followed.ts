/** Keeps up with a file about webhooks, and with the certificates and keys that it names. */
import { stateOf } from '../transport/reloaded.js';

/** Files are looked at when a call is made, and no more often than this, milliseconds. */
const everyMs = 1000;

/**
 * Returns what the file says at the time of each call. Throws where it cannot be read at first; later on what was read
 * before stays in use, and the problem is told once.
 */
export function followed<T extends { readonly paths: readonly string[] }>(
  readFile: () => T,
  onProblem: (problem: string) => void,
): () => T {
  let value = readFile();
  let read = stateOf(value.paths);
  let lookedAt = performance.now();
  return () => {
    const now = performance.now();
    if (now - lookedAt < everyMs) return value;
    lookedAt = now;
    const state = stateOf(value.paths);
    if (state === read) return value;
    read = state;
    try {
      value = readFile();
    } catch (error) {
      onProblem(`what was read before stays in use: ${error instanceof Error ? error.message : String(error)}`);
    }
    return value;
  };
}
