/** Rules that workloads share: their pods match the selector and keep running, and the selector does not change. */

import type { DeploymentSpec } from '../../generated/types/apps/v1/types.js';
import type { LabelSelector } from '../../generated/types/meta/v1/types.js';
import type { Draft, FieldError, NamedConversion, ObjectMeta } from '../../runtime/contract/index.js';
import { clone } from '../../runtime/objects/clone.js';
import { equal } from '../../runtime/objects/equality.js';
import { forbidden, invalidValue, notSupported } from '../../runtime/objects/field-error.js';
import { dns1123Label } from '../../runtime/objects/names/name-checks.js';
import { byCodePoint } from '../../runtime/objects/printing.js';
import { type LabelRequirement, labelSelectorOf } from '../../runtime/objects/selectors/labels.js';
import { type PodTemplate, podTemplateWarnings, validatePodTemplate } from '../core/pod-spec/pod-template.js';
import { printedLabels, printedSelector } from '../shared/printed-values.js';
import { isEmptySelector, isMistakenSelector, selectorMatches, validateLabelSelector } from '../shared/selectors.js';
import type { Serving } from '../shared/serving.js';

const path = 'spec.template';

/** Returns the error if a workload would not select the pods of its own template. */
export function notSelected(template: PodTemplate | undefined): FieldError {
  const problem = '`selector` does not match template `labels`';
  return invalidValue(`${path}.metadata.labels`, printedLabels(template?.metadata?.labels), problem);
}

export interface RunningTemplate extends Serving {
  /** The name of the workload in messages. */
  readonly kind: string;
  /** Whether the template may make more than one pod. */
  readonly several: boolean;
}

/** Checks the template at `spec.template`, including its pods. */
export function validateRunningTemplate(
  template: PodTemplate | undefined,
  { kind, several, ...serving }: RunningTemplate,
): readonly FieldError[] {
  return [
    ...validatePodTemplate(template, path, serving),
    ...(several ? sharedDiskErrors(template) : []),
    ...validateRunning(template, kind),
  ];
}

/** Reports a template with pods that end by themselves. */
export function validateRunning(template: PodTemplate | undefined, kind: string): readonly FieldError[] {
  const { restartPolicy = '', activeDeadlineSeconds } = template?.spec ?? {};
  const unsupported = `activeDeadlineSeconds in ${kind} is not Supported`;
  return [
    ...(restartPolicy === 'Always' ? [] : [notSupported(`${path}.spec.restartPolicy`, restartPolicy, ['Always'])]),
    ...(activeDeadlineSeconds === undefined ? [] : [forbidden(`${path}.spec.activeDeadlineSeconds`, unsupported)]),
  ];
}

/** Several pods can use a disk of this provider only read-only. */
function sharedDiskErrors(template: PodTemplate | undefined): readonly FieldError[] {
  const { volumes = [] } = template?.spec ?? {};
  return volumes.flatMap(({ gcePersistentDisk: disk }, i) => {
    if (disk === undefined || disk.readOnly) return [];
    const problem =
      'must be true for replicated pods > 1; GCE PD can only be mounted on multiple machines if it is read-only';
    return [invalidValue(`${path}.spec.volumes[${i}].gcePersistentDisk.readOnly`, false, problem)];
  });
}

// Selectors: not empty, matching the template, and immutable.

interface SelectingSpec {
  readonly selector?: Draft<LabelSelector> | undefined;
  readonly template?: PodTemplate | undefined;
}

/** Checks `spec.selector` alone; `kind` is the workload's name in messages. The schema reports a missing selector. */
export function validateWorkloadSelector({ selector }: SelectingSpec, kind: string): readonly FieldError[] {
  const empty = `empty selector is invalid for ${kind}`;
  return [
    ...validateLabelSelector(selector, 'spec.selector'),
    ...(isEmptySelector(selector) ? [invalidValue('spec.selector', printedSelector(selector), empty)] : []),
  ];
}

/**
 * Returns the error of a template that the selector does not match, and the errors from `others`. If the selector is
 * malformed, returns one error with the text `mistaken` instead. An empty selector is already reported.
 */
export function selectedTemplateErrors(
  { selector, template }: SelectingSpec,
  mistaken: string,
  others: (template: PodTemplate | undefined) => readonly FieldError[],
): readonly FieldError[] {
  if (isMistakenSelector(selector)) return [invalidValue('spec.selector', printedSelector(selector), mistaken)];
  const fits = isEmptySelector(selector) || selectorMatches(selector, template?.metadata?.labels);
  return [...(fits ? [] : [notSelected(template)]), ...others(template)];
}

/** Returns the error of a template without the selected labels. A malformed selector yields none. */
export function unselectedErrors({ selector, template }: SelectingSpec = {}): readonly FieldError[] {
  const fits = isMistakenSelector(selector) || selectorMatches(selector, template?.metadata?.labels);
  return fits ? [] : [notSelected(template)];
}

/** Returns the error of a changed selector. */
export function selectorChangeErrors(
  { selector }: SelectingSpec = {},
  { selector: old }: SelectingSpec = {},
): readonly FieldError[] {
  if (equal(selector, old)) return [];
  return [invalidValue('spec.selector', printedSelector(selector), 'field is immutable')];
}

type Template = PodTemplate | undefined;

/** Returns the container names of a template, as in `web,proxy`. */
export const containersText = (template: Template): string =>
  (template?.spec?.containers ?? []).map(({ name }) => name).join(',');

/** Returns the container images of a template. */
export const imagesText = (template: Template): string =>
  (template?.spec?.containers ?? []).map(({ image }) => image).join(',');

/** Prints labels as in `a=b,c=d`, sorted by key; `<none>` if there are none. */
export function labelsText(labels: Readonly<Record<string, string>> = {}): string {
  const entries = Object.entries(labels).sort(([a], [b]) => byCodePoint(a, b));
  return entries.map(([key, value]) => `${key}=${value}`).join(',') || '<none>';
}

/** Prints a selector as in `a=b,c in (d,e),!f`, sorted by label; `<none>` if it is missing or empty. */
export function selectorText(selector: Draft<LabelSelector> | undefined): string {
  const compiled = labelSelectorOf(selector);
  if (!compiled.ok) return '<error>';
  const requirements = [...compiled.value.requirements].sort((a, b) => byCodePoint(a.key, b.key));
  return requirements.map(requirementText).join(',') || '<none>';
}

function requirementText({ key, operator, values }: LabelRequirement): string {
  switch (operator) {
    case 'In':
      return `${key} in (${values.join(',')})`;
    case 'NotIn':
      return `${key} notin (${values.join(',')})`;
    case 'Exists':
      return key;
    case 'DoesNotExist':
      return `!${key}`;
    default:
      return `${key}=${values[0] ?? ''}`;
  }
}

type Named = { readonly metadata: ObjectMeta };

/** A workload with a pod template at `spec.template`. */
interface Workload extends Named {
  readonly spec?: { readonly template?: PodTemplate | undefined } | undefined;
}

/** Warns if the name of a new workload is not a DNS label, because the names and hosts of its pods should be. */
export function podNameWarnings({ metadata }: Named, old: Named | undefined): readonly string[] {
  const problems = old === undefined ? dns1123Label(metadata.name ?? '') : [];
  if (problems.length === 0) return [];
  const advice = 'this is used in Pod names and hostnames, which can result in surprising behavior';
  return [`metadata.name: ${advice}; a DNS label is recommended: [${problems.join(' ')}]`];
}

/** Warns about the pods of a new or changed workload. */
export const templateWarnings = (workload: Workload, old: Workload | undefined, serving: Serving): readonly string[] =>
  isNewState(workload, old) ? podTemplateWarnings(workload.spec?.template, 'spec.template', serving) : [];

/** Returns whether a workload is new or its desired state changed. */
export const isNewState = ({ metadata }: Named, old: Named | undefined): boolean =>
  old === undefined || old.metadata.generation !== metadata.generation;

// Versions without a required selector select the labels of the template.

/** Fills in `spec.selector`, which the storage version requires. */
export const selectorFromTemplate: NamedConversion = {
  name: 'selector-from-template',
  toStored({ spec }: Draft<{ spec: DeploymentSpec }>) {
    const labels = spec?.template?.metadata?.labels;
    if (spec && labels && !spec.selector) spec.selector = { matchLabels: clone(labels) };
  },
  fromStored: () => {},
};
