/** The spec of a job, in a job or in a cron job's template. */
import type {
  JobSpec,
  PodFailurePolicy,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyOnPodConditionsPattern,
  PodFailurePolicyRule,
} from '../../generated/types/batch/v1/types.js';
import type { Draft, FieldError } from '../../runtime/contract/index.js';
import {
  duplicate,
  invalidValue,
  notSupported,
  required,
  tooMany,
  Verbatim,
} from '../../runtime/objects/field-error.js';
import { qualifiedNameCheck } from '../../runtime/objects/names/name-checks.js';
import { quote } from '../../runtime/objects/printing.js';
import { validatePodTemplate } from '../core/pod-spec/pod-template.js';
import type { Serving } from '../shared/serving.js';
import { failureErrors, managerErrors, replacementErrors, successErrors } from './job-policies.js';

const maxIndexedParallelism = 100_000;

/** Returns the fields of a job's spec in the order in which they are checked. */
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

/** Returns whether each pod of a job has its own index. */
export const isIndexed = ({ completionMode }: Draft<JobSpec>): boolean => completionMode === 'Indexed';

/** Checks a job's spec except its selector. */
export function validateJobSpec(spec: Draft<JobSpec> = {}, path: string, serving: Serving): readonly FieldError[] {
  const { podFailurePolicy: policy, template } = spec;
  return [
    ...managerErrors(spec, path),
    ...(isIndexed(spec) ? indexedErrors(spec, path) : []),
    ...failureErrors(spec, path),
    ...(policy ? validatePodFailurePolicy(policy, spec, `${path}.podFailurePolicy`) : []),
    ...successErrors(spec, path),
    ...replacementErrors(spec, path),
    ...validatePodTemplate(template, `${path}.template`, serving),
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

/** Pods that always restart would never finish. */
function restartErrors(policy = 'Always', hasFailurePolicy: boolean, path: string): readonly FieldError[] {
  // This policy is also the default, so it means that none was chosen.
  if (policy === '' || policy === 'Always') return [required(path, 'valid values: "OnFailure", "Never"')];
  if (!restartPolicies.some((known) => known === policy)) return [notSupported(path, policy, restartPolicies)];
  if (!hasFailurePolicy || policy === 'Never') return [];
  return [invalidValue(path, policy, 'only "Never" is supported when podFailurePolicy is specified')];
}

// The failure policy of a job: each rule looks at exit codes or at conditions of a failed pod.

const maxRules = 20;
const maxPatterns = 20;
const maxExitCodes = 255;

const states = ['False', 'True', 'Unknown'];

/** Checks a policy of a job. */
function validatePodFailurePolicy(
  policy: Draft<PodFailurePolicy>,
  { template, backoffLimitPerIndex }: Draft<JobSpec>,
  path: string,
): readonly FieldError[] {
  const { containers, initContainers = [] } = template?.spec ?? {};
  const rules = policy.rules ?? [];
  const failsIndex = 'requires the backoffLimitPerIndex to be set';
  const known = new Set([...(containers ?? []), ...initContainers].map(({ name = '' }) => name));
  return [
    ...(rules.length > maxRules ? [tooMany(`${path}.rules`, rules.length, maxRules)] : []),
    ...rules.flatMap((rule, i) => [
      ...(rule.action === 'FailIndex' && backoffLimitPerIndex === undefined
        ? [invalidValue(`${path}.rules[${i}].action`, rule.action, failsIndex)]
        : []),
      ...ruleErrors(rule, `${path}.rules[${i}]`, known),
    ]),
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

/** Returns an error about a rule, without printing the rule. */
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

/** Exit codes are sorted and unique, and do not include zero, which means success. */
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
