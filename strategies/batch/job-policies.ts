/** How the indexes of a job fail and succeed, and who runs the job. */
import type { JobSpec, SuccessPolicyRule } from '../../generated/types/batch/v1/types.js';
import type { Draft, FieldError } from '../../runtime/contract/index.js';
import { invalidValue, notSupported, required, tooLong, tooMany } from '../../runtime/objects/field-error.js';
import { byteLength, domainPrefixedPath } from '../../runtime/objects/names/name-checks.js';
import { notNegative } from '../shared/counts.js';
import { readIndexes } from './job-indexes.js';

const isIndexed = ({ completionMode }: Draft<JobSpec>): boolean => completionMode === 'Indexed';

const maxManager = 63;

/** Checks the controller that runs a job. */
export function managerErrors({ managedBy: name }: Draft<JobSpec>, path: string): readonly FieldError[] {
  if (name === undefined) return [];
  const at = `${path}.managedBy`;
  return [
    ...(name === '' ? [required(at)] : domainPrefixedPath(name).map((problem) => invalidValue(at, name, problem))),
    ...(byteLength(name) > maxManager ? [tooLong(at, maxManager)] : []),
  ];
}

const manyCompletions = 100_000;
const maxOfMany = 10_000;

/** Checks how often single indexes may fail. */
export function failureErrors(spec: Draft<JobSpec>, path: string): readonly FieldError[] {
  const { backoffLimitPerIndex: limit, maxFailedIndexes: max } = spec;
  const at = (field: string): string => `${path}.${field}`;
  const errors = [
    ...notNegative(limit, at('backoffLimitPerIndex')),
    ...notNegative(max, at('maxFailedIndexes')),
    ...(max !== undefined && limit === undefined
      ? [required(at('backoffLimitPerIndex'), 'when maxFailedIndexes is specified')]
      : []),
  ];
  if (isIndexed(spec)) return [...errors, ...limitErrors(spec, at)];
  const problem = 'requires indexed completion mode';
  return [
    ...errors,
    ...(limit === undefined ? [] : [invalidValue(at('backoffLimitPerIndex'), limit, problem)]),
    ...(max === undefined ? [] : [invalidValue(at('maxFailedIndexes'), max, problem)]),
  ];
}

function limitErrors(spec: Draft<JobSpec>, at: (field: string) => string): readonly FieldError[] {
  const { completions, parallelism = 0, backoffLimitPerIndex: limit, maxFailedIndexes: max } = spec;
  const atMost = (most: number | string): string => `must be less than or equal to ${most}`;
  const ofMany = `when completions are above ${manyCompletions} and used with backoff limit per index`;
  const isLarge = completions !== undefined && completions > manyCompletions && limit !== undefined;
  const tooHigh = (most: number, rule: string): readonly FieldError[] =>
    max !== undefined && max > most ? [invalidValue(at('maxFailedIndexes'), max, rule)] : [];
  const always = [
    ...(completions === undefined ? [] : tooHigh(completions, atMost('completions'))),
    ...tooHigh(manyCompletions, atMost(manyCompletions)),
  ];
  if (!isLarge) return always;
  const needed = `must be specified when completions is above ${manyCompletions}`;
  return [
    ...always,
    ...(max === undefined ? [required(at('maxFailedIndexes'), needed)] : []),
    ...(parallelism > maxOfMany
      ? [invalidValue(at('parallelism'), parallelism, `${atMost(maxOfMany)} ${ofMany}`)]
      : []),
    ...tooHigh(maxOfMany, `${atMost(maxOfMany)} ${ofMany}`),
  ];
}

/** A job with rules for failures waits for a pod to fail before it makes another. */
export function replacementErrors(spec: Draft<JobSpec>, path: string): readonly FieldError[] {
  const { podFailurePolicy, podReplacementPolicy: policy } = spec;
  if (!podFailurePolicy || policy === undefined || policy === 'Failed') return [];
  return [notSupported(`${path}.podReplacementPolicy`, policy, ['Failed'])];
}

const maxRules = 20;
const maxIndexesText = 64 * 1024;

/** Checks when a job has succeeded. */
export function successErrors(spec: Draft<JobSpec>, path: string): readonly FieldError[] {
  const { successPolicy: policy } = spec;
  if (!policy) return [];
  const at = `${path}.successPolicy`;
  if (!isIndexed(spec)) return [invalidValue(at, policy, 'requires indexed completion mode')];
  const rules = policy.rules ?? [];
  const none = 'at least one rules must be specified when the successPolicy is specified';
  return [
    ...(rules.length === 0 ? [required(`${at}.rules`, none)] : []),
    ...(rules.length > maxRules ? [tooMany(`${at}.rules`, rules.length, maxRules)] : []),
    ...rules.flatMap((rule, i) => ruleErrors(rule, `${at}.rules[${i}]`, spec.completions ?? 0)),
  ];
}

function ruleErrors(
  { succeededIndexes: indexes, succeededCount: count }: Draft<SuccessPolicyRule>,
  path: string,
  completions: number,
): readonly FieldError[] {
  const atIndexes = `${path}.succeededIndexes`;
  const atCount = `${path}.succeededCount`;
  const read = readIndexes(indexes ?? '', completions);
  const neither = 'at least one of succeededCount or succeededIndexes must be specified';
  const atMost = (most: number, what: string): readonly FieldError[] =>
    count !== undefined && count > most
      ? [invalidValue(atCount, count, `must be less than or equal to ${most} (${what})`)]
      : [];
  return [
    ...(count === undefined && indexes === undefined ? [required(path, neither)] : []),
    ...(byteLength(indexes ?? '') > maxIndexesText ? [tooLong(atIndexes, maxIndexesText)] : []),
    ...(read.ok ? [] : [invalidValue(atIndexes, indexes, `error parsing succeededIndexes: ${read.problem}`)]),
    ...notNegative(count, atCount),
    ...atMost(completions, 'the number of specified completions'),
    ...(indexes === undefined
      ? []
      : atMost(read.ok ? read.count : 0, 'the number of indexes in the specified succeededIndexes field')),
  ];
}
