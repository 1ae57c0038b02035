/** Rules for the spec of a job, its own or that in a cron job's template. */
import type { JobSpec } from '../../generated/types/batch/v1/types.js';
import type { Draft, FieldError } from '../../runtime/contract/index.js';
import { invalidValue, notSupported, required } from '../../runtime/objects/field-error.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { validatePodTemplate } from '../core/pod-spec/pod-template.js';
import { validatePodFailurePolicy } from './pod-failure-policy.js';

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
