/** The seats of a server are divided by shares, and lent within limits. */
import { describe, expect, it } from 'vitest';
import { Demand, smoothed } from '../../../../../runtime/access/flow-control/demand.js';
import { allotSeats, seatBounds } from '../../../../../runtime/access/flow-control/level-spec.js';

describe('bounds', () => {
  it('follow from the shares, rounded up', () => {
    const level = { shares: 20, lendablePercent: 50, borrowingLimitPercent: undefined };
    expect(seatBounds(level, 245, 600)).toEqual({ nominal: 49, lower: 24, upper: 649 });
  });

  it('limit borrowing to the percentage of the level', () => {
    const level = { shares: 1, lendablePercent: 0, borrowingLimitPercent: 30 };
    expect(seatBounds(level, 6, 600)).toEqual({ nominal: 100, lower: 100, upper: 130 });
  });
});

describe('lent seats', () => {
  it('go to levels that want them, while others do not need them', () => {
    const idle = { lower: 10, upper: 200, target: 10 };
    const busy = { lower: 50, upper: 200, target: 400 };
    expect(allotSeats([idle, busy], 100).seats).toEqual([10, 90]);
  });

  it('are shared in proportion if several levels want them', () => {
    const { seats, fairPart } = allotSeats(
      [
        { lower: 0, upper: 1000, target: 300 },
        { lower: 0, upper: 1000, target: 100 },
      ],
      100,
    );
    expect(seats).toEqual([75, 25]);
    expect(fairPart).toBeCloseTo(0.25);
  });

  it('never exceed the maximum of a level', () => {
    expect(
      allotSeats(
        [
          { lower: 10, upper: 30, target: 400 },
          { lower: 50, upper: 200, target: 50 },
        ],
        100,
      ).seats,
    ).toEqual([30, 70]);
  });

  it('do not exist if no level can have more', () => {
    expect(allotSeats([{ lower: 5, upper: 5, target: 1 }], 100).seats).toEqual([5]);
    expect(allotSeats([], 100).seats).toEqual([]);
  });
});

describe('the demand', () => {
  it('is an average over time, with its deviation and its maximum', () => {
    const demand = new Demand(0);
    demand.set(4, 0);
    demand.set(0, 500);
    const figures = demand.take(1000);
    expect(figures).toEqual({ average: 2, deviation: 2, high: 4 });
  });

  it('includes requests that came and ended', () => {
    const demand = new Demand(0);
    demand.add(1, 100);
    expect(demand.take(1000)).toEqual({ average: 0.1, deviation: 0.3, high: 0 });
  });

  it('rises at once and falls slowly', () => {
    const risen = smoothed(1, { average: 10, deviation: 2, high: 20 });
    expect(risen).toBe(12);
    const fallen = smoothed(risen, { average: 0, deviation: 0, high: 0 });
    expect(fallen).toBeLessThan(12);
    expect(fallen).toBeGreaterThan(11);
  });
});
