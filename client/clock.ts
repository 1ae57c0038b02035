/** The clock that all waiting uses. Tests replace it. */
import type { Clock } from '../runtime/contract/index.js';
import { onAbort } from './connection/on-abort.js';

export type { Clock };

/** The longest time that one timer can take, 24 days. A longer wait uses several timers. */
const longestMs = 2 ** 31 - 1;

/** The clock of the machine. */
export const systemClock: Clock = {
  monotonicMs: () => performance.now(),
  wallMs: () => Date.now(),
  after: (ms, act) => {
    const wait = (left: number): ReturnType<typeof setTimeout> =>
      left > longestMs
        ? setTimeout(() => {
            timer = wait(left - longestMs);
          }, longestMs)
        : setTimeout(act, Math.max(left, 0));
    let timer = wait(ms);
    return () => clearTimeout(timer);
  },
};

/** Resolves after `ms` milliseconds, or at once when the signal ends the wait. */
export function sleep(ms: number, signal: AbortSignal | undefined, clock: Clock = systemClock): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      stop();
      resolve();
    };
    const cancel = clock.after(ms, end);
    const stop = onAbort(signal, end);
  });
}
