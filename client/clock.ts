/** The time that waiting goes by, so that tests can have one of their own. */
import type { Clock } from '../runtime/contract/index.js';

export type { Clock };

/** Timers take no more, which is 24 days. One that waits longer wakes early and is looked at again. */
const longestMs = 2 ** 31 - 1;

/** The clock of the machine. */
export const systemClock: Clock = {
  monotonicMs: () => performance.now(),
  wallMs: () => Date.now(),
  after: (ms, act) => {
    const timer = setTimeout(act, Math.min(Math.max(ms, 0), longestMs));
    return () => clearTimeout(timer);
  },
};

/** Resolves after `ms` milliseconds, or at once when the signal ends the wait. */
export function sleep(ms: number, signal: AbortSignal | undefined, clock: Clock = systemClock): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(ms, end);
    signal?.addEventListener('abort', end);
  });
}
