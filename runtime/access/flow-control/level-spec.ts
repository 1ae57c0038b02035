/** Reads priority levels: the number of seats, and the queues for requests. */
import type { ApiObject, JsonObject, JsonValue } from '../../contract/index.js';
import { isObject, textOf } from '../../objects/guards.js';

/** How requests wait for seats. */
export interface Queuing {
  readonly queues: number;
  /** The number of queues that a flow is dealt. */
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

// These readers accept any JSON: a validated spec may come from an earlier release.

export const objectOf = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {});

export const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : []);

const numberOf = <T>(value: JsonValue | undefined, otherwise: T): number | T =>
  typeof value === 'number' ? value : otherwise;
