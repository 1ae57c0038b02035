/** Label selectors inside objects: their errors, and whether they select given labels. */
import type { LabelSelector } from '../../generated/types/meta/v1/types.js';
import type { Draft, FieldError } from '../../runtime/contract/index.js';
import {
  type Labels,
  labelSelectorOf,
  validateLabelSelector as selectorErrors,
} from '../../runtime/objects/selectors/labels.js';

type Selector = Draft<LabelSelector> | undefined;

/** Errors of a selector (`matchLabels`, `matchExpressions`) at a path. An absent selector has none. */
export const validateLabelSelector = (selector: Selector, path: string): readonly FieldError[] =>
  selector ? selectorErrors(selector, path) : [];

/** Whether a selector is there and has no condition, so that it would select everything. */
export function isEmptySelector(selector: Selector): boolean {
  if (!selector) return false;
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;
}

/** Whether some part of a selector is malformed, so that it cannot be evaluated. */
export const isMistakenSelector = (selector: Selector): boolean => !labelSelectorOf(selector).ok;

/** Whether a selector selects labels; one that is absent or malformed selects nothing. */
export function selectorMatches(selector: Selector, labels: Labels = {}): boolean {
  const compiled = labelSelectorOf(selector);
  return compiled.ok && compiled.value.matches(labels);
}
