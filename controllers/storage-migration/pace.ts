/** Limits how many objects are migrated per second, so that the server has time for other clients. */
import { type Clock, sleep, systemClock } from '../../client/index.js';

/** Resolves when the next object may be read, or when the signal is aborted. */
export type Pace = (signal?: AbortSignal) => Promise<void>;

/** Default number of objects per second. */
export const usualRate = 500;

/** The minimum and maximum number of objects per second. */
export const rateLimits = { least: 1, most: 100_000 } as const;

/** Returns a page size that takes about a second at a rate, so that progress is saved often. */
export const pageSizeAt = (rate: number): number => Math.min(200, Math.max(10, Math.round(rate)));

/** How much unused time the walk may catch up on, milliseconds. This prevents a burst after a pause. */
const longestDebtMs = 100;

/** @param rate objects per second, within `rateLimits`. */
export function definePace(rate: number, clock: Clock = systemClock): Pace {
  const intervalMs = 1000 / rate;
  let due = clock.monotonicMs();
  return async (signal) => {
    const now = clock.monotonicMs();
    const at = Math.max(due, now - longestDebtMs);
    due = at + intervalMs;
    if (at > now) await sleep(at - now, signal, clock);
  };
}

/** Returns at once, for servers without other clients. */
export const unlimited: Pace = () => Promise.resolve();
