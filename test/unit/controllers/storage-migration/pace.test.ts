import { expect, it } from 'vitest';
import type { Clock } from '../../../../client/index.js';
import { definePace, unlimited } from '../../../../controllers/storage-migration/pace.js';

/** Makes a clock that advances as soon as a caller waits. */
function jumpingClock(): Clock & { now: number } {
  const clock = {
    now: 0,
    monotonicMs: () => clock.now,
    wallMs: () => clock.now,
    after: (ms: number, act: () => void) => {
      clock.now += ms;
      queueMicrotask(act);
      return () => {};
    },
  };
  return clock;
}

it('allows so many in a second', async () => {
  const clock = jumpingClock();
  const pace = definePace(50, clock);
  for (let object = 0; object < 101; object++) await pace();
  expect(clock.now).toBeCloseTo(2000);
});

it('makes up for a tenth of a second, and for no more', async () => {
  const clock = jumpingClock();
  const pace = definePace(100, clock);
  await pace();
  clock.now += 60_000;
  for (let object = 0; object < 21; object++) await pace();
  expect(clock.now).toBeCloseTo(60_000 + 100);
});

it('does not wait without a limit, or once the signal has ended it', async () => {
  await unlimited();
  const pace = definePace(1);
  await pace();
  await pace(AbortSignal.abort());
});
