/** Rules for the spec of a job, its own or that in a cron job's template. */
import type {
  JobSpec,
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
import type { Naming } from '../../runtime/objects/naming.js';
import { quote } from '../../runtime/objects/printing.js';
import { validatePodTemplate } from '../core/pod-spec/pod-template.js';

const maxIndexedParallelism = 100_000;

/** The order in which the fields of a job's spec at a path are checked. */
export function checkedJobFields(path: string): readonly string[] {
  const rule = `${path}.podFailurePolicy.rules[]`;
  return [
    ...['parallelism', 'completions', 'activeDeadlineSeconds', 'backoffLimit'].map((name) => `${path}.${name}`),
    ...['ttlSecondsAfterFinished', 'completionMode'].map((name) => `${path}.${name}`),
    ...[`${rule}.action`, `${rule}.onExitCodes.operator`, `${rule}.onExitCodes.containerName`],
    ...[`${rule}.onExitCodes.values`, `${rule}.onPodConditions[].type`, `${rule}.onPodConditions[].status`],
    ...[`${rule}.`, `${path}.template`, `${path}.selector`],
  ];
}

/** Whether each of a job's pods has a number of its own. */
export const isIndexed = ({ completionMode }: Draft<JobSpec>): boolean => completionMode === 'Indexed';

/** Errors of a job's spec at a path, but for its selector. */
export function validateJobSpec(spec: Draft<JobSpec> = {}, path: string, names: Naming): readonly FieldError[] {
  const { podFailurePolicy: policy, template } = spec;
  return [
    ...(isIndexed(spec) ? indexedErrors(spec, path) : []),
    ...(policy ? validatePodFailurePolicy(policy, template?.spec, `${path}.podFailurePolicy`) : []),
    ...validatePodTemplate(template, `${path}.template`, names),
    ...restartErrors(template?.spec?.restartPolicy, policy !== undefined, `${path}.template.spec.restartPolicy`),
  ];
}

function indexedErrors({ completions, parallelism = 0 }: Draft<JobSpec>, path: string): readonly FieldError[] {
  const limit = `must be less than or equal to ${maxIndexedParallelism} when completion mode is Indexed`;
  return [
    ...(completions === undefined ? [required(`${path}.completions`, 'when completion mode is Indexed')] : []),
    ...(parallelism > maxIndexedParallelism ? [invalidValue(`${path}.parallelism`, parallelism, limit)] : []),
  ];
}

const restartPolicies = ['OnFailure', 'Never'] as const;

/** Pods that always start again would never be done. */
function restartErrors(policy = 'Always', hasFailurePolicy: boolean, path: string): readonly FieldError[] {
  // This policy is also the default, so it says that none was chosen.
  if (policy === '' || policy === 'Always') return [required(path, 'valid values: "OnFailure", "Never"')];
  if (!restartPolicies.some((known) => known === policy)) return [notSupported(path, policy, restartPolicies)];
  if (!hasFailurePolicy || policy === 'Never') return [];
  return [invalidValue(path, policy, 'only "Never" is supported when podFailurePolicy is specified')];
}

// Rules for the failure policy of a job: each of its rules looks at exit codes or at conditions of a failed pod.

const maxRules = 20;
const maxPatterns = 20;
const maxExitCodes = 255;

const states = ['False', 'True', 'Unknown'];

/** Errors of a policy at a path; `podSpec` is that of the job's pods. */
function validatePodFailurePolicy(
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
