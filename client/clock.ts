/** The time that waiting goes by, so that tests can have one of their own. */

/** Tells the time and wakes who waits. */
export interface Clock {
  /** Milliseconds since any moment; never goes back, and stands still for nobody. */
  monotonicMs(): number;
  /** Milliseconds since 1970, as the machine has it. */
  wallMs(): number;
  /** Acts after a time in milliseconds; the answer calls that off. */
  after(ms: number, act: () => void): () => void;
}

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
