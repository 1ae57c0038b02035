/** Conditions in the status of objects, and whether they are true of the object as it is wanted now. */
import type { ApiObjectLike } from './types.js';

/** One entry of `status.conditions`. */
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly observedGeneration?: number;
}

const isCondition = (value: unknown): value is Condition =>
  typeof value === 'object' && value !== null && 'type' in value && 'status' in value;

/** A condition by its type; none where the status does not have it. */
export function conditionOf(object: ApiObjectLike, type: string): Condition | undefined {
  const status = statusOf(object);
  const conditions: unknown = 'conditions' in status ? status.conditions : undefined;
  return Array.isArray(conditions) ? conditions.filter(isCondition).find((one) => one.type === type) : undefined;
}

/** Whether a condition has a status, and speaks of the object as it is wanted now. */
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
