/** The waits of slow answers, which end with the server. */
import type { Clock } from '../../runtime/contract/index.js';

export interface Waits {
  /** Resolves to `true` after milliseconds of the clock, and to `false` where the wait is broken off. */
  wait(ms: number): Promise<boolean>;
  /** Ends all waits that go on. */
  breakOff(): void;
}

export function defineWaits(clock: Clock): Waits {
  const ends = new Set<(isOver: boolean) => void>();
  return {
    wait: (ms) =>
      new Promise((resolve) => {
        const end = (isOver: boolean): void => {
          cancel();
          ends.delete(end);
          resolve(isOver);
        };
        const cancel = clock.after(ms, () => end(true));
        ends.add(end);
      }),
    breakOff() {
      for (const end of ends) end(false);
    },
  };
}
