/** Conditions in the status of objects, and whether they are about the current generation. */
import { formatTime } from '../runtime/objects/scan/time.js';
import { type Clock, systemClock } from './clock.js';
import type { ApiObjectLike } from './types.js';

/** One entry of `status.conditions`. */
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly observedGeneration?: number;
}

/** A condition to set. */
export interface WantedCondition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  /** One word in CamelCase, for programs. */
  readonly reason: string;
  /** For people. */
  readonly message: string;
}

/** A condition as it is set. */
export type NewCondition<Wanted> = Wanted & {
  /** Time of the last change of `status`, RFC 3339. */
  lastTransitionTime: string;
  /** The generation of the object that the condition is about; absent if the kind has no generations. */
  observedGeneration?: number;
};

/**
 * Returns the conditions of an object with one added or replaced, for `patchStatus`. Does not change the object.
 * Changes `lastTransitionTime` only with `status`. The schema must have the fields of `metav1.Condition`.
 */
export function setCondition<C extends Pick<Condition, 'type' | 'status'>, const Wanted extends WantedCondition>(
  object: ApiObjectLike & { readonly status?: { readonly conditions?: readonly C[] } },
  wanted: Wanted,
  clock: Clock = systemClock,
): (C | NewCondition<Wanted>)[] {
  const { generation } = object.metadata;
  const about = generation === undefined ? {} : { observedGeneration: generation };
  return putCondition(object.status?.conditions, { ...wanted, ...about }, formatTime(clock.wallMs()));
}

/** Returns a list of conditions with one added or replaced. Keeps the earlier time if the status is the same. */
export function putCondition<
  C extends Pick<Condition, 'type' | 'status'>,
  W extends Pick<Condition, 'type' | 'status'>,
>(conditions: readonly C[] = [], wanted: W, now: string): (C | (W & { lastTransitionTime: string }))[] {
  const before = conditions.find(({ type }) => type === wanted.type);
  const put = { ...before, ...wanted, lastTransitionTime: sinceOf(before, wanted) ?? now };
  return before ? conditions.map((one) => (one === before ? put : one)) : [...conditions, put];
}

/** Returns the earlier time of a condition, unless its status changes. */
function sinceOf(before: object | undefined, wanted: Pick<Condition, 'status'>): string | undefined {
  if (before === undefined || !('status' in before) || before.status !== wanted.status) return undefined;
  return 'lastTransitionTime' in before && typeof before.lastTransitionTime === 'string'
    ? before.lastTransitionTime
    : undefined;
}

const isCondition = (value: unknown): value is Condition =>
  typeof value === 'object' && value !== null && 'type' in value && 'status' in value;

/** Returns a condition by its type, or `undefined`. */
export function conditionOf(object: ApiObjectLike, type: string): Condition | undefined {
  const status = statusOf(object);
  const conditions: unknown = 'conditions' in status ? status.conditions : undefined;
  return Array.isArray(conditions) ? conditions.filter(isCondition).find((one) => one.type === type) : undefined;
}

/** Returns whether a condition has a status, and is about the current generation of the object. */
export function hasCondition(object: ApiObjectLike, type: string, status = 'True'): boolean {
  const condition = conditionOf(object, type);
  if (condition?.status !== status) return false;
  const { generation } = object.metadata;
  const observed = condition.observedGeneration ?? observedGeneration(object);
  return generation === undefined || observed === undefined || observed >= generation;
}

function observedGeneration(object: ApiObjectLike): number | undefined {
  const status = statusOf(object);
  return 'observedGeneration' in status && typeof status.observedGeneration === 'number'
    ? status.observedGeneration
    : undefined;
}

function statusOf(object: ApiObjectLike): object {
  const status: unknown = 'status' in object ? object.status : undefined;
  return typeof status === 'object' && status !== null ? status : {};
}
