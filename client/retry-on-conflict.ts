/** Retries changes after conflicts. */
import { type Clock, sleep, systemClock } from './clock.js';
import { isApplyConflict } from './conflicts.js';
import { isAlreadyExists, isConflict } from './errors.js';

/** Options of retries after conflicts. */
export interface ConflictOptions {
  /** Retries after the first attempt. Default: 10. */
  readonly retries?: number;
  /** First pause in milliseconds, plus or minus a half. Each attempt doubles it, up to a second. Default: 10. */
  readonly delayMs?: number;
  /** Ends the retries. */
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
}

const longestMs = 1000;

/**
 * Makes an attempt, and another one after each conflict with another writer. Each attempt must read its inputs again.
 * Throws the last error. If another manager owns a field of an apply, throws that error at once, because a retry does
 * not help.
 */
export async function retryOnConflict<R>(attempt: () => Promise<R>, options: ConflictOptions = {}): Promise<R> {
  const { retries = 10, delayMs = 10, signal, clock = systemClock } = options;
  for (let failures = 0; ; failures++) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      const isOvertaken = isConflict(error) || isAlreadyExists(error);
      if (!isOvertaken || isApplyConflict(error) || failures >= retries) throw error;
    }
    await sleep(Math.min(delayMs * 2 ** failures, longestMs) * (0.5 + Math.random()), signal, clock);
  }
}
