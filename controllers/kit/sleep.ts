/** Waits for a time, or until a controller is told to end. */
import { type Clock, systemClock } from './clock.js';

/** Resolves after `ms` milliseconds, or at once when the signal ends the wait. */
export function sleep(ms: number, signal: AbortSignal, clock: Clock = systemClock): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(ms, end);
    signal.addEventListener('abort', end);
  });
}
