/** Limits how many objects are migrated per second, so that other clients of the server keep their turn. */
import { type Clock, sleep, systemClock } from '../../client/index.js';

/** Resolves when the next object may be asked for, or when the signal ends the wait. */
export type Pace = (signal?: AbortSignal) => Promise<void>;

/** Objects per second where nobody says otherwise. */
export const usualRate = 500;

/** The fewest and the most objects per second that can be asked for. */
export const rateLimits = { least: 1, most: 100_000 } as const;

/** Objects of a page that takes about a second at a rate, so that a migration soon knows how far it is. */
export const pageSizeAt = (rate: number): number => Math.min(200, Math.max(10, Math.round(rate)));

/** Time that was not used is made up for no longer than this, milliseconds: a pause is not followed by a rush. */
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

/** Lets all through at once, for servers that have no other clients. */
export const unlimited: Pace = () => Promise.resolve();
