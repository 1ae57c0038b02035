/** Conditions in the status of objects, and whether they are about the current generation. */
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
