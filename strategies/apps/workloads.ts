/** Rules for templates of pods that are kept running: they have the selected labels and never end by themselves. */

import type { DeploymentSpec } from '../../generated/types/apps/v1/types.js';
import type { LabelSelector } from '../../generated/types/meta/v1/types.js';
import type { Draft, FieldError, NamedConversion, ObjectMeta } from '../../runtime/contract/index.js';
import { clone } from '../../runtime/objects/clone.js';
import { equal } from '../../runtime/objects/equality.js';
import { forbidden, invalidValue, notSupported } from '../../runtime/objects/field-error.js';
import { dns1123Label } from '../../runtime/objects/names/dns-names.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { byCodePoint } from '../../runtime/objects/printing.js';
import { type LabelRequirement, labelSelectorOf } from '../../runtime/objects/selectors/labels.js';
import { type PodTemplate, podTemplateWarnings, validatePodTemplate } from '../core/pod-spec/pod-template.js';
import { printedLabels, printedSelector } from '../shared/printed-values.js';
import { isEmptySelector, isMistakenSelector, selectorMatches, validateLabelSelector } from '../shared/selectors.js';

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

// Rules for the selector of a workload: it selects something, selects the pods of the template, and does not change.

/** The part of a workload's spec that these rules are about. */
interface SelectingSpec {
  readonly selector?: Draft<LabelSelector> | undefined;
  readonly template?: PodTemplate | undefined;
}

/** Errors of `spec.selector` by itself; `kind` is the workload's name in messages. Absence is left to the schema. */
export function validateWorkloadSelector({ selector }: SelectingSpec, kind: string): readonly FieldError[] {
  const empty = `empty selector is invalid for ${kind}`;
  return [
    ...validateLabelSelector(selector, 'spec.selector'),
    ...(isEmptySelector(selector) ? [invalidValue('spec.selector', printedSelector(selector), empty)] : []),
  ];
}

/**
 * Errors of a template: the one of a template that is not selected, and `others`. If the selector cannot be compiled,
 * there is one error with the text `mistaken` instead. An empty selector is wrong already.
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

/** The error of a template that does not have the selected labels. A selector that cannot be compiled has none. */
export function unselectedErrors({ selector, template }: SelectingSpec = {}): readonly FieldError[] {
  const fits = isMistakenSelector(selector) || selectorMatches(selector, template?.metadata?.labels);
  return fits ? [] : [notSelected(template)];
}

/** The error of a selector that has changed. */
export function selectorChangeErrors(
  { selector }: SelectingSpec = {},
  { selector: old }: SelectingSpec = {},
): readonly FieldError[] {
  if (equal(selector, old)) return [];
  return [invalidValue('spec.selector', printedSelector(selector), 'field is immutable')];
}

type Template = PodTemplate | undefined;

/** The names of the containers of a template's pods, as in `web,proxy`. */
export const containersText = (template: Template): string =>
  (template?.spec?.containers ?? []).map(({ name }) => name).join(',');

/** The images of the containers of a template's pods. */
export const imagesText = (template: Template): string =>
  (template?.spec?.containers ?? []).map(({ image }) => image).join(',');

/** Labels as in `a=b,c=d`, sorted by key; `<none>` where there are none. */
export function labelsText(labels: Readonly<Record<string, string>> = {}): string {
  const entries = Object.entries(labels).sort(([a], [b]) => byCodePoint(a, b));
  return entries.map(([key, value]) => `${key}=${value}`).join(',') || '<none>';
}

/** A selector as in `a=b,c in (d,e),!f`, sorted by label; `<none>` where it is absent or empty. */
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

/** A workload with the template of its pods at `spec.template`. */
interface Workload extends Named {
  readonly spec?: { readonly template?: PodTemplate | undefined } | undefined;
}

/** Warns about the name of a new workload that is no DNS label, as the names of its pods and their hosts should be. */
export function podNameWarnings({ metadata }: Named, old: Named | undefined): readonly string[] {
  const problems = old === undefined ? dns1123Label(metadata.name ?? '') : [];
  if (problems.length === 0) return [];
  const advice = 'this is used in Pod names and hostnames, which can result in surprising behavior';
  return [`metadata.name: ${advice}; a DNS label is recommended: [${problems.join(' ')}]`];
}

/** Warns about the pods of a workload that is new, or whose desired state has changed. */
export const templateWarnings = (workload: Workload, old: Workload | undefined, names: Naming): readonly string[] =>
  isNewState(workload, old) ? podTemplateWarnings(workload.spec?.template, 'spec.template', names) : [];

/** Whether a workload is new, or its desired state has changed. */
export const isNewState = ({ metadata }: Named, old: Named | undefined): boolean =>
  old === undefined || old.metadata.generation !== metadata.generation;

// Workloads of versions in which the selector could be left out: it then selects the labels of the template.

/** Fills in `spec.selector`, which the stored version must have. */
export const selectorFromTemplate: NamedConversion = {
  name: 'selector-from-template',
  toStored({ spec }: Draft<{ spec: DeploymentSpec }>) {
    const labels = spec?.template?.metadata?.labels;
    if (spec && labels && !spec.selector) spec.selector = { matchLabels: clone(labels) };
  },
  fromStored: () => {},
};
