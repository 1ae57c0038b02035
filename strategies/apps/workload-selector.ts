/** The selector of a workload: it is there, selects something, selects the pods of the template, and stays as it is. */
import type { FieldError, JsonObject } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { invalidValue } from '../../runtime/objects/field-error.js';
import { objectAt } from '../../runtime/objects/guards.js';
import {
  isEmptySelector,
  isMistakenSelector,
  selectorMatches,
  validateLabelSelector,
} from '../shared/label-selector.js';
import { printedSelector } from '../shared/printed-values.js';
import { notSelected, templateLabels } from './running-template.js';

/** Errors of `spec.selector` by itself; `kind` is the workload's name in messages. Absence is left to the schema. */
export function validateWorkloadSelector(spec: JsonObject | undefined, kind: string): readonly FieldError[] {
  const selector = spec?.selector;
  return [
    ...validateLabelSelector(selector, 'spec.selector'),
    ...(isEmptySelector(selector)
      ? [invalidValue('spec.selector', printedSelector(selector), `empty selector is invalid for ${kind}`)]
      : []),
  ];
}

/**
 * Errors of a template: that its selector does not select it, and `others`. Nothing is said of a template whose selector
 * cannot be asked, which is then told as `mistaken`. An empty selector is wrong already.
 */
export function selectedTemplateErrors(
  spec: JsonObject | undefined,
  mistaken: string,
  others: (template: JsonObject | undefined) => readonly FieldError[],
): readonly FieldError[] {
  const selector = spec?.selector;
  const template = objectAt(spec, 'template');
  if (isMistakenSelector(selector)) return [invalidValue('spec.selector', printedSelector(selector), mistaken)];
  const fits = isEmptySelector(selector) || selectorMatches(selector, templateLabels(template));
  return [...(fits ? [] : [notSelected(template, 'spec.template')]), ...others(template)];
}

/** The error of a template that does not have the labels that are selected, where the selector can be asked. */
export function unselectedErrors(spec: JsonObject | undefined): readonly FieldError[] {
  const selector = spec?.selector;
  const template = objectAt(spec, 'template');
  const fits = isMistakenSelector(selector) || selectorMatches(selector, templateLabels(template));
  return fits ? [] : [notSelected(template, 'spec.template')];
}

/** The error of a selector that has changed. */
export function selectorChangeErrors(spec: JsonObject | undefined, old: JsonObject | undefined): readonly FieldError[] {
  if (equal(spec?.selector, old?.selector)) return [];
  return [invalidValue('spec.selector', printedSelector(spec?.selector), 'field is immutable')];
}
