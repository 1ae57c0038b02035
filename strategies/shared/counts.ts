/** Counts: none is negative, and no part is more than the whole. */
import type { ReplicaSetStatus, StatefulSetStatus } from '../../generated/types/apps/v1/types.js';
import type { Draft, FieldError } from '../../runtime/contract/index.js';
import { invalidValue } from '../../runtime/objects/field-error.js';
import { patternCheck } from '../../runtime/objects/names/name-patterns.js';
import { printedIntOrString } from './printed-values.js';

/** The error of a negative number; none for anything else. */
export function notNegative(value: number | bigint | undefined, path: string): readonly FieldError[] {
  return value !== undefined && value < 0 ? [invalidValue(path, value, 'must be greater than or equal to 0')] : [];
}

/** The same for fields of an object, whose path is given; in the order of the fields. */
export const notNegativeFields = <Field extends string>(
  object: { readonly [Key in Field]?: number | bigint | undefined } | undefined,
  fields: readonly Field[],
  path: string,
): readonly FieldError[] => fields.flatMap((field) => notNegative(object?.[field], `${path}.${field}`));

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

const percentProblems = patternCheck({
  source: '[0-9]+%',
  meaning: "a valid percent string must be a numeric string followed by an ending '%'",
  examples: ['1%', '93%'],
});

const percentOf = (value: number | string | undefined): number | undefined =>
  typeof value === 'string' && percentProblems(value).length === 0 ? Number.parseInt(value, 10) : undefined;

/** Errors of an amount that is neither a number from zero on nor a percentage; none for an absent one. */
export function validateIntOrPercent(value: number | string | undefined, path: string): readonly FieldError[] {
  if (typeof value === 'number') return notNegative(value, path);
  if (value === undefined) return [];
  return percentProblems(value).map((problem) => invalidValue(path, printedIntOrString(value), problem));
}

/** The error of a percentage above 100. */
export function validateAtMostAll(value: number | string | undefined, path: string): readonly FieldError[] {
  if ((percentOf(value) ?? 0) <= 100) return [];
  return [invalidValue(path, printedIntOrString(value), 'must not be greater than 100%')];
}

/** Whether an amount, of pods or percent, is zero; an absent one and a text that is no number count as zero. */
export function isZeroAmount(value: number | string | undefined): boolean {
  return (percentOf(value) ?? numberOf(value)) === 0;
}

/** The number that an amount is, or that its text has: a text is wrong, but counts as what it says. */
function numberOf(value: number | string = 0): number {
  if (typeof value === 'number') return value;
  return /^[+-]?\d+$/.test(value) ? Number(value) : 0;
}
