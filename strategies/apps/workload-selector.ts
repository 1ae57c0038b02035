/** Rules for the selector of a workload: it selects something, selects the pods of the template, and does not change. */
import type { LabelSelector } from '../../generated/types/meta/v1/types.js';
import type { Draft, FieldError } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { invalidValue } from '../../runtime/objects/field-error.js';
import type { PodTemplate } from '../core/pod-spec/pod-template.js';
import {
  isEmptySelector,
  isMistakenSelector,
  selectorMatches,
  validateLabelSelector,
} from '../shared/label-selector.js';
import { printedSelector } from '../shared/printed-values.js';
import { notSelected } from './running-template.js';

/** The part of a workload's spec that these rules are about. */
export interface SelectingSpec {
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
