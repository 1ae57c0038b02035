/** Reads priority levels, and divides the seats of a server among them. */
import type { ApiObject, JsonObject, JsonValue } from '../../contract/index.js';
import { isObject, textOf } from '../../objects/guards.js';

/** How requests wait for seats. */
export interface Queuing {
  readonly queues: number;
  /** The number of queues that each flow gets. */
  readonly handSize: number;
  /** The largest number of requests in one queue. */
  readonly lengthLimit: number;
}

/** A parsed priority level. */
export interface LevelSpec {
  readonly name: string;
  readonly uid: string;
  /** Requests never wait. */
  readonly isExempt: boolean;
  readonly shares: number;
  /** The part of its seats that others may borrow. */
  readonly lendablePercent: number;
  /** The part of its own seats that it may borrow in addition; no limit if absent. */
  readonly borrowingLimitPercent: number | undefined;
  /** Absent if requests without a seat are refused at once. */
  readonly queuing: Queuing | undefined;
}

export function readLevel({ metadata, spec }: ApiObject): LevelSpec {
  const { type, limited } = objectOf(spec);
  const { nominalConcurrencyShares, lendablePercent, borrowingLimitPercent, limitResponse } = objectOf(limited);
  const response = objectOf(limitResponse);
  const { queues, handSize, queueLengthLimit } = objectOf(response.queuing);
  const isQueued = textOf(response.type) === 'Queue';
  return {
    name: metadata.name ?? '',
    uid: metadata.uid ?? '',
    isExempt: type === 'Exempt',
    shares: numberOf(nominalConcurrencyShares, 30),
    lendablePercent: numberOf(lendablePercent, 0),
    borrowingLimitPercent: numberOf(borrowingLimitPercent, undefined),
    queuing: isQueued
      ? { queues: numberOf(queues, 64), handSize: numberOf(handSize, 8), lengthLimit: numberOf(queueLengthLimit, 50) }
      : undefined,
  };
}

// Reads any JSON, because a validated spec may come from an earlier release.

export const objectOf = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {});

export const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : []);

const numberOf = <T>(value: JsonValue | undefined, otherwise: T): number | T =>
  typeof value === 'number' ? value : otherwise;

/** The seats of a level from its object, and the limits of lending and borrowing. */
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

interface Allotment {
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
