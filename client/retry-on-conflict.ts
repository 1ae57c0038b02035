/** Tries a change again that was overtaken by another. */
import { type Clock, sleep, systemClock } from './clock.js';
import { isApplyConflict } from './conflicts.js';
import { isAlreadyExists, isConflict } from './errors.js';

/** How patient a change is. */
export interface ConflictOptions {
  /** Attempts after the first; 10 where not given. */
  readonly retries?: number;
  /** First pause in milliseconds, give or take a half, doubled with each attempt up to a second; 10 where not given. */
  readonly delayMs?: number;
  /** Calls the change off. */
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
}

const longestMs = 1000;

/**
 * Makes an attempt, and another each time that it was refused because somebody else was faster; an attempt reads anew
 * what it depends on. Throws what the last one threw. A field of an apply that another manager owns stays so, so that is
 * thrown at once.
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
