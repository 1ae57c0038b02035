/** Label selectors inside objects: what they may say, and whether they select given labels. */
import type { FieldError, JsonObject, JsonValue } from '../../runtime/contract/index.js';
import { isObject, isStringMap, objectAt } from '../../runtime/objects/guards.js';
import { labelSelectorOf, validateLabelSelector as selectorErrors } from '../../runtime/objects/labels.js';

export interface LabelSelectorOptions {
  /**
   * Passes over values of expressions that no label could have. Objects that were stored with such values have to stay
   * valid: see `hasInvalidValues`.
   */
  readonly allowInvalidValues?: boolean;
}

/** Errors of a selector (`matchLabels`, `matchExpressions`) at a path. An absent selector has none. */
export function validateLabelSelector(
  selector: JsonValue | undefined,
  path: string,
  { allowInvalidValues = false }: LabelSelectorOptions = {},
): readonly FieldError[] {
  return isObject(selector) ? selectorErrors(selector, path, allowInvalidValues) : [];
}

/** Whether expressions of a selector have values that no label could have. */
export function hasInvalidValues(selector: JsonValue | undefined): boolean {
  const strict = validateLabelSelector(selector, '');
  return strict.length > validateLabelSelector(selector, '', { allowInvalidValues: true }).length;
}

/** Whether a selector is there and has no condition, so that it would select everything. */
export function isEmptySelector(selector: JsonValue | undefined): boolean {
  if (!isObject(selector)) return false;
  const labels = objectAt(selector, 'matchLabels');
  const expressions = selector.matchExpressions;
  return Object.keys(labels ?? {}).length === 0 && !(Array.isArray(expressions) && expressions.length > 0);
}

/** Whether a selector selects labels; one that is absent or mistaken selects nothing. */
export function selectorMatches(selector: JsonValue | undefined, labels: JsonObject | undefined): boolean {
  const compiled = labelSelectorOf(isObject(selector) ? selector : undefined);
  return compiled.ok && compiled.value.matches(isStringMap(labels) ? labels : {});
}
