/** Numbers of things: none is below zero, and parts are no more than the whole. */
import type { FieldError, JsonObject, JsonValue } from '../../runtime/contract/index.js';
import { invalidValue } from '../../runtime/objects/field-error.js';
import { isInteger } from '../../runtime/objects/guards.js';

/** What is said of a negative number. */
const belowZero = 'must be greater than or equal to 0';

/** The error of a negative number; none for anything else. */
export function notNegative(value: JsonValue | undefined, path: string): readonly FieldError[] {
  return isInteger(value) && value < 0 ? [invalidValue(path, value, belowZero)] : [];
}

/** The same for fields of an object, whose path is given; in the order of the fields. */
export function notNegativeFields(
  object: JsonObject | undefined,
  fields: readonly string[],
  path: string,
): readonly FieldError[] {
  return fields.flatMap((field) => notNegative(object?.[field], `${path}.${field}`));
}

/** The number in a field, zero where there is none. */
export function countAt(object: JsonObject | undefined, field: string): number {
  const value = object?.[field];
  return typeof value === 'number' ? value : 0;
}

/** Errors of a status whose replicas in a certain state are more than all of them, or available before they are ready. */
export function replicaCountErrors(
  status: JsonObject | undefined,
  parts: readonly string[],
  path: string,
): readonly FieldError[] {
  const all = countAt(status, 'replicas');
  const excess = (field: string, limit: number, problem: string): readonly FieldError[] => {
    const count = countAt(status, field);
    return count > limit ? [invalidValue(`${path}.${field}`, count, problem)] : [];
  };
  return [
    ...parts.flatMap((field) => excess(field, all, 'cannot be greater than status.replicas')),
    ...excess('availableReplicas', countAt(status, 'readyReplicas'), 'cannot be greater than readyReplicas'),
  ];
}

/** The error of a count of hash collisions that went down. */
export function collisionErrors(status: JsonObject | undefined, old: JsonObject | undefined): readonly FieldError[] {
  const count = countAt(status, 'collisionCount');
  if (count >= countAt(old, 'collisionCount')) return [];
  return [invalidValue('status.collisionCount', count, 'cannot be decremented')];
}
