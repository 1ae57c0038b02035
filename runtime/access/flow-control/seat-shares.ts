/** Divides the seats of a server among its priority levels, and lends unused seats. */
import type { LevelSpec } from './level-spec.js';

/** The seats of a level by its object, and the limits of lending and borrowing. */
export interface SeatBounds {
  readonly nominal: number;
  readonly lower: number;
  readonly upper: number;
}

type Shares = Pick<LevelSpec, 'shares' | 'lendablePercent' | 'borrowingLimitPercent'>;

/** Returns the bounds of a level. `allShares` is the sum over all levels, `total` the seats of the server. */
export function seatBounds(level: Shares, allShares: number, total: number): SeatBounds {
  const nominal = Math.ceil((total * level.shares) / Math.max(allShares, 1));
  const lent = Math.round((nominal * level.lendablePercent) / 100);
  const { borrowingLimitPercent: percent } = level;
  const borrowed = percent === undefined ? total : Math.round((nominal * percent) / 100);
  return { nominal, lower: nominal - lent, upper: nominal + borrowed };
}

/** A level's wish for seats: at least `lower`, at most `upper`, and `target` if possible. */
export interface SeatWish {
  readonly lower: number;
  readonly upper: number;
  readonly target: number;
}

export interface Allotment {
  readonly seats: readonly number[];
  /** The part of its target that each level gets, within its bounds. */
  readonly fairPart: number;
}

/** The number of bisection steps: more precise than seats need. */
const steps = 60;

/** Allots all of `total` seats so that every level gets the same part of its target, within its bounds. */
export function allotSeats(wishes: readonly SeatWish[], total: number): Allotment {
  const at = (part: number): number[] =>
    wishes.map(({ lower, upper, target }) => Math.max(lower, Math.min(upper, part * target)));
  const sum = (part: number): number => at(part).reduce((all, seats) => all + seats, 0);
  let [low, high] = [0, 1];
  // Above this, every level with a target is at its upper bound.
  const most = Math.max(1, ...wishes.map(({ upper, target }) => (target > 0 ? upper / target : 1)));
  while (high < most && sum(high) < total) high *= 2;
  for (let step = 0; step < steps; step++) {
    const middle = (low + high) / 2;
    if (sum(middle) < total) low = middle;
    else high = middle;
  }
  return { seats: at(high).map(Math.round), fairPart: high };
}
