/** Rules for the failure policy of a job: each of its rules looks at exit codes or at conditions of a failed pod. */
import type {
  PodFailurePolicy,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyOnPodConditionsPattern,
  PodFailurePolicyRule,
} from '../../generated/types/batch/v1/types.js';
import type { PodSpec } from '../../generated/types/core/v1/types.js';
import type { Draft, FieldError } from '../../runtime/contract/index.js';
import {
  duplicate,
  invalidValue,
  notSupported,
  required,
  tooMany,
  Verbatim,
} from '../../runtime/objects/field-error.js';
import { qualifiedNameCheck } from '../../runtime/objects/names/key-names.js';
import { quote } from '../../runtime/objects/printing.js';

const maxRules = 20;
const maxPatterns = 20;
const maxExitCodes = 255;

const states = ['False', 'True', 'Unknown'];

/** Errors of a policy at a path; `podSpec` is that of the job's pods. */
export function validatePodFailurePolicy(
  policy: Draft<PodFailurePolicy>,
  { containers, initContainers = [] }: Draft<PodSpec> = {},
  path: string,
): readonly FieldError[] {
  const rules = policy.rules ?? [];
  const known = new Set([...(containers ?? []), ...initContainers].map(({ name = '' }) => name));
  return [
    ...(rules.length > maxRules ? [tooMany(`${path}.rules`, rules.length, maxRules)] : []),
    ...rules.flatMap((rule, i) => ruleErrors(rule, `${path}.rules[${i}]`, known)),
  ];
}

function ruleErrors(
  { onExitCodes: codes, onPodConditions }: Draft<PodFailurePolicyRule>,
  path: string,
  containers: ReadonlySet<string>,
): readonly FieldError[] {
  const patterns = onPodConditions ?? [];
  const both = 'specifying both OnExitCodes and OnPodConditions is not supported';
  const neither = 'specifying one of OnExitCodes and OnPodConditions is required';
  return [
    ...(codes ? exitCodeErrors(codes, `${path}.onExitCodes`, containers) : []),
    ...patternErrors(patterns, `${path}.onPodConditions`),
    ...(codes && patterns.length > 0 ? [ruleError(path, both)] : []),
    ...(codes || patterns.length > 0 ? [] : [ruleError(path, neither)]),
  ];
}

/** A rule as a whole is not printed. */
const ruleError = (field: string, problem: string): FieldError => ({
  reason: 'FieldValueInvalid',
  field,
  message: `Invalid value: ${problem}`,
});

function stateErrors(state: string, path: string): readonly FieldError[] {
  if (state === '') return [required(path, `valid values: [${states.map(quote).join(' ')}]`)];
  return states.includes(state) ? [] : [notSupported(path, state, states)];
}

function exitCodeErrors(
  { containerName: name, operator, values }: Draft<PodFailurePolicyOnExitCodesRequirement>,
  path: string,
  containers: ReadonlySet<string>,
): readonly FieldError[] {
  const unknown = 'must be one of the container or initContainer names in the pod template';
  const isUnknown = typeof name === 'string' && !containers.has(name);
  return [
    ...(isUnknown ? [invalidValue(`${path}.containerName`, name, unknown)] : []),
    ...valueErrors(values ?? [], operator === 'In', `${path}.values`),
  ];
}

/** Exit codes that count are ordered, occur once, and are no zeros, which mean success. */
function valueErrors(values: readonly number[], isIn: boolean, path: string): readonly FieldError[] {
  const printed = new Verbatim(`[]int32{${values.join(', ')}}`);
  if (values.length === 0) return [invalidValue(path, printed, 'at least one value is required')];
  const first = new Map(values.map((value, i) => [value, i] as const).reverse());
  const isOrdered = values.every((value, i) => i === 0 || (values[i - 1] ?? value) <= value);
  return [
    ...(values.length > maxExitCodes ? [tooMany(path, values.length, maxExitCodes)] : []),
    ...values.flatMap((value, i) => [
      ...(isIn && value === 0 ? [invalidValue(`${path}[${i}]`, value, 'must not be 0 for the In operator')] : []),
      ...(first.get(value) !== i ? [duplicate(`${path}[${i}]`, value)] : []),
    ]),
    ...(isOrdered ? [] : [invalidValue(path, printed, 'must be ordered')]),
  ];
}

function patternErrors(
  patterns: readonly Draft<PodFailurePolicyOnPodConditionsPattern>[],
  path: string,
): readonly FieldError[] {
  return [
    ...(patterns.length > maxPatterns ? [tooMany(path, patterns.length, maxPatterns)] : []),
    ...patterns.flatMap(({ type = '', status = '' }, i) => [
      ...qualifiedNameCheck(type).map((problem) => invalidValue(`${path}[${i}].type`, type, problem)),
      ...stateErrors(status, `${path}[${i}].status`),
    ]),
  ];
}
