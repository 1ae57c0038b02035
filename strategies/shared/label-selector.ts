/** Label selectors inside objects: their errors, and whether they select given labels. */
import type { LabelSelector } from '../../generated/types/meta/v1/types.js';
import type { Draft, FieldError, JsonObject, JsonValue } from '../../runtime/contract/index.js';
import { isObject, isStringMap } from '../../runtime/objects/guards.js';
import { labelSelectorOf, validateLabelSelector as selectorErrors } from '../../runtime/objects/selectors/labels.js';

/** Errors of a selector (`matchLabels`, `matchExpressions`) at a path. An absent selector has none. */
export function validateLabelSelector(selector: JsonValue | undefined, path: string): readonly FieldError[] {
  return isObject(selector) ? selectorErrors(selector, path) : [];
}

/** Whether a selector is there and has no condition, so that it would select everything. */
export function isEmptySelector(selector: JsonValue | undefined): boolean {
  if (!isObject(selector)) return false;
  const { matchLabels = {}, matchExpressions = [] }: Draft<LabelSelector> = selector;
  return Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;
}

/** Whether a selector is there and some part of it is malformed, so that it cannot be evaluated. */
export function isMistakenSelector(selector: JsonValue | undefined): boolean {
  return isObject(selector) && !labelSelectorOf(selector).ok;
}

/** Whether a selector selects labels; one that is absent or malformed selects nothing. */
export function selectorMatches(selector: JsonValue | undefined, labels: JsonObject | undefined): boolean {
  const compiled = labelSelectorOf(isObject(selector) ? selector : undefined);
  return compiled.ok && compiled.value.matches(isStringMap(labels) ? labels : {});
}
