import { expect, it } from 'vitest';
import { Pace, settledAfterMs } from '../../../../controllers/quota/pace.js';
import { FakeClock } from '../../../support/fake-clock.js';

it('is now if something has changed, also during the count, and otherwise never', async () => {
  const pace = new Pace(new FakeClock());
  expect(pace.counted('a/q')).toBe(0);
  pace.begin('a/q');
  expect(pace.counted('a/q')).toBe(Number.POSITIVE_INFINITY);
  pace.outdate('a/q');
  expect(pace.counted('a/q')).toBe(0);
  expect(pace.counted('b/q')).toBe(0);
});

it('is when it is due, or earlier if something changes', async () => {
  const clock = new FakeClock();
  const pace = new Pace(clock);
  pace.begin('a/q');
  pace.outdate('a/q', 300);
  pace.outdate('a/q', 900);
  await clock.advance(200);
  expect(pace.counted('a/q')).toBe(100);
  pace.outdate('a/q');
  expect(pace.counted('a/q')).toBe(0);
});

it("waits until charges are stored, but not for the controller's own writes", async () => {
  const clock = new FakeClock();
  const pace = new Pace(clock);
  pace.see('a/q', '1');
  await clock.advance(100);
  pace.see('a/q', '1');
  expect(pace.unsettled('a/q')).toBe(settledAfterMs - 100);
  pace.see('a/q', '2');
  expect(pace.unsettled('a/q')).toBe(settledAfterMs);
  pace.wrote('a/q', '3');
  pace.see('a/q', '3');
  expect(pace.unsettled('a/q')).toBe(0);
  pace.forget('a/q');
  expect(pace.unsettled('a/q')).toBe(0);
});

it('rests ten times as long as counting takes', async () => {
  const clock = new FakeClock();
  const pace = new Pace(clock);
  expect(await pace.counting('a/q', async () => clock.advance(30).then(() => 7))).toBe(7);
  expect(pace.rest('a/q')).toBe(300);
  await clock.advance(300);
  expect(pace.rest('a/q')).toBe(0);
});
