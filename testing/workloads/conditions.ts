/** Conditions in the status of workloads, and their times. */
import type { Clock } from '../../client/index.js';
import type { Condition } from './types.js';

/** Returns the current time in the format of objects. */
export const timeOf = (clock: Clock): string => new Date(clock.wallMs()).toISOString().replace(/\.\d+Z$/, 'Z');

/** Returns milliseconds since 1970; 0 without a time. */
export const millisecondsOf = (time: string | undefined): number => (time === undefined ? 0 : Date.parse(time) || 0);

export const conditionOf = (conditions: readonly Condition[] = [], type: string): Condition | undefined =>
  conditions.find((each) => each.type === type);

/** Removes a condition. */
export const withoutCondition = (conditions: readonly Condition[] = [], type: string): Condition[] =>
  conditions.filter((each) => each.type !== type);
