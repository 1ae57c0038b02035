/** Conditions in the status of workloads, and their times. */
import type { Clock } from '../../client/index.js';
import type { Condition } from './types.js';

/** The time as objects hold it. */
export const timeOf = (clock: Clock): string => new Date(clock.wallMs()).toISOString().replace(/\.\d+Z$/, 'Z');

/** Milliseconds since 1970; 0 where there is no time. */
export const millisecondsOf = (time: string | undefined): number => (time === undefined ? 0 : Date.parse(time) || 0);

export const conditionOf = (conditions: readonly Condition[] = [], type: string): Condition | undefined =>
  conditions.find((each) => each.type === type);

/** The conditions with one put in; its transition is now where its status is another than before. */
export function withCondition(conditions: readonly Condition[] = [], wanted: Condition, now: string): Condition[] {
  const before = conditionOf(conditions, wanted.type);
  const lastTransitionTime = before?.status === wanted.status ? (before.lastTransitionTime ?? now) : now;
  const put = { ...before, ...wanted, lastTransitionTime };
  return before ? conditions.map((each) => (each === before ? put : each)) : [...conditions, put];
}

/** The conditions without one. */
export const withoutCondition = (conditions: readonly Condition[] = [], type: string): Condition[] =>
  conditions.filter((each) => each.type !== type);
