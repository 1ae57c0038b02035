/** The time that controllers go by where they are given no other: that of the machine. */
import type { Clock } from '../../runtime/contract/index.js';

export type { Clock };

/** Timers of Node take no more, which is 24 days. One that waits longer wakes early and is looked at again. */
const longestMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  monotonicMs: () => performance.now(),
  wallMs: () => Date.now(),
  after: (ms, act) => {
    const timer = setTimeout(act, Math.min(Math.max(ms, 0), longestMs));
    return () => clearTimeout(timer);
  },
};
