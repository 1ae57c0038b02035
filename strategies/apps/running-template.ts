/** Rules for templates of pods that are kept running: they have the selected labels and never end by themselves. */
import type { FieldError } from '../../runtime/contract/index.js';
import { forbidden, invalidValue, notSupported } from '../../runtime/objects/field-error.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { type PodTemplate, validatePodTemplate } from '../core/pod-spec/pod-template.js';
import { printedLabels } from '../shared/printed-values.js';

const path = 'spec.template';

/** The error of a template whose pods its own workload would not select. */
export function notSelected(template: PodTemplate | undefined): FieldError {
  const problem = '`selector` does not match template `labels`';
  return invalidValue(`${path}.metadata.labels`, printedLabels(template?.metadata?.labels), problem);
}

/** Facts about a workload that the rules for its template depend on. */
export interface RunningTemplate {
  readonly names: Naming;
  /** Name of the workload in messages. */
  readonly kind: string;
  /** Whether more than one pod may be made of the template. */
  readonly several: boolean;
}

/** Errors of a template at `spec.template`, those of the pods included. */
export function validateRunningTemplate(
  template: PodTemplate | undefined,
  { names, kind, several }: RunningTemplate,
): readonly FieldError[] {
  return [
    ...validatePodTemplate(template, path, names),
    ...(several ? sharedDiskErrors(template) : []),
    ...validateRunning(template, kind),
  ];
}

/** Errors of a template at `spec.template` whose pods end by themselves. */
export function validateRunning(template: PodTemplate | undefined, kind: string): readonly FieldError[] {
  const { restartPolicy = '', activeDeadlineSeconds } = template?.spec ?? {};
  const unsupported = `activeDeadlineSeconds in ${kind} is not Supported`;
  return [
    ...(restartPolicy === 'Always' ? [] : [notSupported(`${path}.spec.restartPolicy`, restartPolicy, ['Always'])]),
    ...(activeDeadlineSeconds === undefined ? [] : [forbidden(`${path}.spec.activeDeadlineSeconds`, unsupported)]),
  ];
}

/** Several pods can only read the disks of one provider. */
function sharedDiskErrors(template: PodTemplate | undefined): readonly FieldError[] {
  const { volumes = [] } = template?.spec ?? {};
  return volumes.flatMap(({ gcePersistentDisk: disk }, i) => {
    if (disk === undefined || disk.readOnly) return [];
    const problem =
      'must be true for replicated pods > 1; GCE PD can only be mounted on multiple machines if it is read-only';
    return [invalidValue(`${path}.spec.volumes[${i}].gcePersistentDisk.readOnly`, false, problem)];
  });
}
