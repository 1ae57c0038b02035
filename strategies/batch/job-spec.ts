/** What a job does, be it a job's own spec or that in the template of a schedule: errors of its fields. */
import type { FieldError, JsonObject } from '../../runtime/contract/index.js';
import { invalidValue, required } from '../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { validatePodTemplate } from '../core/pod-spec/pod-template.js';
import { countAt } from '../shared/counts.js';
import { validatePodFailurePolicy } from './pod-failure-policy.js';

const maxIndexedParallelism = 100_000;

/** Whether each of a job's pods has a number of its own. */
export const isIndexed = (spec: JsonObject | undefined): boolean => spec?.completionMode === 'Indexed';

/** Errors of a job's spec at a path, but for its selector. */
export function validateJobSpec(spec: JsonObject | undefined, path: string, names: Naming): readonly FieldError[] {
  const policy = objectAt(spec, 'podFailurePolicy');
  const template = objectAt(spec, 'template');
  return [
    ...completionErrors(spec, path),
    ...(policy ? validatePodFailurePolicy(policy, objectAt(template, 'spec'), `${path}.podFailurePolicy`) : []),
    ...validatePodTemplate(template, `${path}.template`, names),
    ...restartErrors(template, policy !== undefined, `${path}.template.spec.restartPolicy`),
  ];
}

function completionErrors(spec: JsonObject | undefined, path: string): readonly FieldError[] {
  if (!isIndexed(spec)) return [];
  const parallelism = countAt(spec, 'parallelism');
  const limit = `must be less than or equal to ${maxIndexedParallelism} when completion mode is Indexed`;
  return [
    ...(spec?.completions === undefined ? [required(`${path}.completions`, 'when completion mode is Indexed')] : []),
    ...(parallelism > maxIndexedParallelism ? [invalidValue(`${path}.parallelism`, parallelism, limit)] : []),
  ];
}

/** Pods that are started again and again would never be done. */
function restartErrors(template: JsonObject | undefined, hasPolicy: boolean, path: string): readonly FieldError[] {
  const policy = stringAt(objectAt(template, 'spec'), 'restartPolicy');
  if (policy !== 'OnFailure' && policy !== 'Never') {
    return [required(path, 'valid values: "OnFailure", "Never"')];
  }
  if (!hasPolicy || policy === 'Never') return [];
  return [invalidValue(path, policy, 'only "Never" is supported when podFailurePolicy is specified')];
}
