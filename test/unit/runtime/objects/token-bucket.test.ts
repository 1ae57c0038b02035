import { expect, it } from 'vitest';
import { reservingBucket, tokenBucket } from '../../../../runtime/objects/token-bucket.js';

it('allows a burst, then as many as are added', () => {
  let time = 1_000;
  const take = tokenBucket({ perSecond: 2, burst: 3 }, () => time);
  expect([take(), take(), take(), take()]).toEqual([0, 0, 0, 500]);
  time += 400;
  expect(take()).toBe(100);
  time += 100;
  expect([take(), take()]).toEqual([0, 500]);
});

it('never exceeds the burst after a long pause', () => {
  let time = 0;
  const take = tokenBucket({ perSecond: 10, burst: 1 }, () => time);
  time += 60_000;
  expect([take(), take()]).toEqual([0, 100]);
});

it('gives out future tokens one after the other', () => {
  let time = 0;
  const reserve = reservingBucket({ perSecond: 2, burst: 2 }, () => time);
  expect([reserve(), reserve(), reserve(), reserve()]).toEqual([0, 0, 500, 1000]);
  time += 1500;
  expect([reserve(), reserve()]).toEqual([0, 500]);
});
