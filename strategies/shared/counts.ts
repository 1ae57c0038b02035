/** Counts, percentages, and the rules between counts. */
import type { ReplicaSetStatus, StatefulSetStatus } from '../../generated/types/apps/v1/types.js';
import type { Draft, FieldError } from '../../runtime/contract/index.js';
import { invalidValue } from '../../runtime/objects/field-error.js';
import { patternCheck } from '../../runtime/objects/names/name-checks.js';
import { printedIntOrString } from './printed-values.js';

/** Returns the error of a negative number. */
export function notNegative(value: number | bigint | undefined, path: string): readonly FieldError[] {
  return value !== undefined && value < 0 ? [invalidValue(path, value, 'must be greater than or equal to 0')] : [];
}

/** Checks several fields of an object, in the order of the fields. */
export const notNegativeFields = <Field extends string>(
  object: { readonly [Key in Field]?: number | bigint | undefined } | undefined,
  fields: readonly Field[],
  path: string,
): readonly FieldError[] => fields.flatMap((field) => notNegative(object?.[field], `${path}.${field}`));

/** The number of replicas in all, and in each state. */
export type ReplicaCounts = Draft<
  Pick<ReplicaSetStatus, 'replicas' | 'readyReplicas' | 'availableReplicas' | 'fullyLabeledReplicas'> &
    Pick<StatefulSetStatus, 'currentReplicas' | 'updatedReplicas'>
>;

/** No state has more replicas than there are, and no more are available than ready. */
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

type Collisions = Draft<Pick<StatefulSetStatus, 'collisionCount'>>;

/** The count of hash collisions never goes down. */
export function collisionErrors(status: Collisions = {}, old: Collisions = {}): readonly FieldError[] {
  const { collisionCount = 0 } = status;
  if (collisionCount >= (old.collisionCount ?? 0)) return [];
  return [invalidValue('status.collisionCount', collisionCount, 'cannot be decremented')];
}

const percentProblems = patternCheck({
  source: '[0-9]+%',
  meaning: "a valid percent string must be a numeric string followed by an ending '%'",
  examples: ['1%', '93%'],
});

const percentOf = (value: number | string | undefined): number | undefined =>
  typeof value === 'string' && percentProblems(value).length === 0 ? Number.parseInt(value, 10) : undefined;

/** An amount is a number of at least zero, or a percentage; it may be missing. */
export function validateIntOrPercent(value: number | string | undefined, path: string): readonly FieldError[] {
  if (typeof value === 'number') return notNegative(value, path);
  if (value === undefined) return [];
  return percentProblems(value).map((problem) => invalidValue(path, printedIntOrString(value), problem));
}

/** A percentage is at most 100. */
export function validateAtMostAll(value: number | string | undefined, path: string): readonly FieldError[] {
  if ((percentOf(value) ?? 0) <= 100) return [];
  return [invalidValue(path, printedIntOrString(value), 'must not be greater than 100%')];
}

/** Returns whether an amount (pods or percent) is zero; a missing amount or another text counts as zero. */
export function isZeroAmount(value: number | string | undefined): boolean {
  return (percentOf(value) ?? numberOf(value)) === 0;
}

/** Returns the number of an amount, or the number at the start of its text. */
function numberOf(value: number | string = 0): number {
  if (typeof value === 'number') return value;
  return /^[+-]?\d+$/.test(value) ? Number(value) : 0;
}
