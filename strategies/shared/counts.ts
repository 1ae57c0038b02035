/** Numbers of things: none is below zero, and parts are no more than the whole. */
import type { ReplicaSetStatus, StatefulSetStatus } from '../../generated/types/apps/v1/types.js';
import type { Draft, FieldError, JsonObject, JsonValue } from '../../runtime/contract/index.js';
import { invalidValue } from '../../runtime/objects/field-error.js';
import { isInteger } from '../../runtime/objects/guards.js';

/** What is said of a negative number. */
const belowZero = 'must be greater than or equal to 0';

/** The error of a negative number; none for anything else. */
export function notNegative(value: JsonValue | undefined, path: string): readonly FieldError[] {
  return isInteger(value) && value < 0 ? [invalidValue(path, value, belowZero)] : [];
}

/** The same for fields of an object, whose path is given; in the order of the fields. */
export function notNegativeFields<T extends JsonObject>(
  object: T | undefined,
  fields: readonly (keyof T & string)[],
  path: string,
): readonly FieldError[] {
  return fields.flatMap((field) => notNegative(object?.[field], `${path}.${field}`));
}

/** The number in a field, zero where there is none. */
export function countAt(object: JsonObject | undefined, field: string): number {
  const value = object?.[field];
  return typeof value === 'number' ? value : 0;
}

/** Errors of replicas, see {@link replicaErrors}, for callers whose status is not typed yet. */
export function replicaCountErrors(
  status: JsonObject | undefined,
  states: readonly string[],
  path: string,
): readonly FieldError[] {
  const all = countAt(status, 'replicas');
  const excess = (field: string, limit: number, problem: string): readonly FieldError[] => {
    const count = countAt(status, field);
    return count > limit ? [invalidValue(`${path}.${field}`, count, problem)] : [];
  };
  return [
    ...states.flatMap((field) => excess(field, all, 'cannot be greater than status.replicas')),
    ...excess('availableReplicas', countAt(status, 'readyReplicas'), 'cannot be greater than readyReplicas'),
  ];
}

/** How many replicas there are in all, and in each of the states that a kind counts. */
export type ReplicaCounts = Draft<
  Pick<ReplicaSetStatus, 'replicas' | 'readyReplicas' | 'availableReplicas' | 'fullyLabeledReplicas'> &
    Pick<StatefulSetStatus, 'currentReplicas' | 'updatedReplicas'>
>;

/** Errors of a status that counts more replicas in a state than there are, or more available ones than ready ones. */
export function replicaErrors(
  status: ReplicaCounts | undefined,
  states: readonly (keyof ReplicaCounts)[],
  path: string,
): readonly FieldError[];
export function replicaErrors(
  status: ReplicaCounts = {},
  states: readonly (keyof ReplicaCounts)[],
  path: string,
): readonly FieldError[] {
  const excess = (state: keyof ReplicaCounts, limit = 0, problem: string): readonly FieldError[] => {
    const count = status[state] ?? 0;
    return count > limit ? [invalidValue(`${path}.${state}`, count, problem)] : [];
  };
  return [
    ...states.flatMap((state) => excess(state, status.replicas, 'cannot be greater than status.replicas')),
    ...excess('availableReplicas', status.readyReplicas, 'cannot be greater than readyReplicas'),
  ];
}

/** The field that counts hash collisions. */
type Collisions = Draft<Pick<StatefulSetStatus, 'collisionCount'>>;

/** The error of a count of hash collisions that went down. */
export function collisionErrors(status: Collisions = {}, old: Collisions = {}): readonly FieldError[] {
  const { collisionCount = 0 } = status;
  if (collisionCount >= (old.collisionCount ?? 0)) return [];
  return [invalidValue('status.collisionCount', collisionCount, 'cannot be decremented')];
}
