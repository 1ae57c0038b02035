/** Divides the seats of a server among its priority levels, and lends those that are not needed. */
import type { LevelSpec } from './level-spec.js';

/** The seats of a level by its object, and the bounds between which it lends and borrows. */
export interface SeatBounds {
  readonly nominal: number;
  readonly lower: number;
  readonly upper: number;
}

type Shares = Pick<LevelSpec, 'shares' | 'lendablePercent' | 'borrowingLimitPercent'>;

/** The bounds of a level among levels that have `allShares` together, in a server with `total` seats. */
export function seatBounds(level: Shares, allShares: number, total: number): SeatBounds {
  const nominal = Math.ceil((total * level.shares) / Math.max(allShares, 1));
  const lent = Math.round((nominal * level.lendablePercent) / 100);
  const { borrowingLimitPercent: percent } = level;
  const borrowed = percent === undefined ? total : Math.round((nominal * percent) / 100);
  return { nominal, lower: nominal - lent, upper: nominal + borrowed };
}

/** A level that wants seats: at least `lower`, at most `upper`, and `target` if there are as many. */
export interface SeatWish {
  readonly lower: number;
  readonly upper: number;
  readonly target: number;
}

export interface Allotment {
  readonly seats: readonly number[];
  /** The part of its target that each level gets, as far as its bounds let it. */
  readonly fairPart: number;
}

/** Steps of halving, after which the part is exact to more digits than seats have. */
const steps = 60;

/** Allots all of `total` seats so that every level gets the same part of its target, within its bounds. */
export function allotSeats(wishes: readonly SeatWish[], total: number): Allotment {
  const at = (part: number): number[] =>
    wishes.map(({ lower, upper, target }) => Math.max(lower, Math.min(upper, part * target)));
  const sum = (part: number): number => at(part).reduce((all, seats) => all + seats, 0);
  let [low, high] = [0, 1];
  // Beyond this every level with a target is at its upper bound.
  const most = Math.max(1, ...wishes.map(({ upper, target }) => (target > 0 ? upper / target : 1)));
  while (high < most && sum(high) < total) high *= 2;
  for (let step = 0; step < steps; step++) {
    const middle = (low + high) / 2;
    if (sum(middle) < total) low = middle;
    else high = middle;
  }
  return { seats: at(high).map(Math.round), fairPart: high };
}
