/** Templates of pods that are kept running: they bear the labels that are selected, and never end by themselves. */
import type { FieldError, JsonObject } from '../../runtime/contract/index.js';
import { forbidden, invalidValue, notSupported } from '../../runtime/objects/field-error.js';
import { isArray, isObject, objectAt, stringAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { validatePodTemplate } from '../core/pod-spec/pod-template.js';
import { printedLabels } from '../shared/printed-values.js';

/** The labels of a template's pods. */
export function templateLabels(template: JsonObject | undefined): JsonObject | undefined {
  return objectAt(objectAt(template, 'metadata'), 'labels');
}

/** The error of a template whose pods its own workload would not select. */
export function notSelected(template: JsonObject | undefined, path: string): FieldError {
  const problem = '`selector` does not match template `labels`';
  return invalidValue(`${path}.metadata.labels`, printedLabels(templateLabels(template)), problem);
}

/** The rules for templates whose pods are several, of which each runs until it is stopped. */
export interface RunningTemplate {
  readonly path: string;
  readonly names: Naming;
  /** Name of the workload in messages. */
  readonly kind: string;
  /** Whether more than one pod may be made of it. */
  readonly several: boolean;
}

/** Errors of a template and of what it says for pods that are to run on and on. */
export function validateRunningTemplate(
  template: JsonObject | undefined,
  { path, names, kind, several }: RunningTemplate,
): readonly FieldError[] {
  return [
    ...validatePodTemplate(template, path, names),
    ...(several ? sharedDiskErrors(template, `${path}.spec.volumes`) : []),
    ...validateRunning(template, path, kind),
  ];
}

/** Errors of a template whose pods end by themselves. */
export function validateRunning(template: JsonObject | undefined, path: string, kind: string): readonly FieldError[] {
  const spec = objectAt(template, 'spec');
  const policy = stringAt(spec, 'restartPolicy');
  const unsupported = `activeDeadlineSeconds in ${kind} is not Supported`;
  return [
    ...(policy === 'Always' ? [] : [notSupported(`${path}.spec.restartPolicy`, policy, ['Always'])]),
    ...(spec?.activeDeadlineSeconds === undefined
      ? []
      : [forbidden(`${path}.spec.activeDeadlineSeconds`, unsupported)]),
  ];
}

/** Disks of one provider that several pods can only read. */
function sharedDiskErrors(template: JsonObject | undefined, path: string): readonly FieldError[] {
  const volumes = objectAt(template, 'spec')?.volumes;
  if (!isArray(volumes)) return [];
  return volumes.flatMap((volume, i) => {
    const disk = isObject(volume) ? objectAt(volume, 'gcePersistentDisk') : undefined;
    if (disk === undefined || disk.readOnly === true) return [];
    const problem =
      'must be true for replicated pods > 1; GCE PD can only be mounted on multiple machines if it is read-only';
    return [invalidValue(`${path}[${i}].gcePersistentDisk.readOnly`, false, problem)];
  });
}
