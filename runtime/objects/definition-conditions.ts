/** Reads and sets the conditions of definitions. */
import type { JsonObject } from '../contract/index.js';
import { isArray, isObject, stringAt } from './guards.js';

/** A condition of a definition without the time at which its status last changed. */
export interface DefinitionCondition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

/** The conditions of a status, in order. */
export function conditionsOf(status: JsonObject | undefined): readonly JsonObject[] {
  const conditions = status?.conditions;
  return isArray(conditions) ? conditions.filter(isObject) : [];
}

/** Whether a condition says `True`. */
export const isTrue = (status: JsonObject | undefined, type: string): boolean =>
  conditionsOf(status).some((condition) => condition.type === type && condition.status === 'True');

/** Sets a condition in place; its time is another one only where its status is. `now` is RFC 3339 in seconds. */
export function setCondition(status: JsonObject, condition: DefinitionCondition, now: string): void {
  const { type, status: value, reason, message } = condition;
  const before = conditionsOf(status);
  const old = before.find((each) => each.type === type);
  const since = stringAt(old, 'lastTransitionTime');
  const lastTransitionTime = since !== '' && old?.status === value ? since : now;
  const next: JsonObject = { type, status: value, lastTransitionTime, reason, message };
  status.conditions = old ? before.map((each) => (each === old ? next : each)) : [...before, next];
}

/** Takes a condition away, in place. */
export function removeCondition(status: JsonObject, type: string): void {
  const conditions = conditionsOf(status);
  const rest = conditions.filter((condition) => condition.type !== type);
  if (rest.length < conditions.length) status.conditions = rest;
}
