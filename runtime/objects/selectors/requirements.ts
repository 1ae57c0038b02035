/** Selectors as requirements, in the form of authorizers and access reviews. */
import type { AuthorizationAttributes, SelectorRequirement } from '../../contract/index.js';
import { byCodePoint } from '../printing.js';
import { parseFieldSelector } from './field-selectors.js';
import { type LabelOperator, parseLabelSelector } from './labels.js';

/** The selectors of a request; a property is absent if it has no such selector. */
export type Selectors = Pick<AuthorizationAttributes, 'fieldSelector' | 'labelSelector'>;

/** Returns the selectors of two texts. Leaves out a selector that selects everything or is invalid. */
export function readSelectors(fields: string, labels: string): Selectors {
  const fieldSelector = fieldRequirements(fields) ?? [];
  const labelSelector = labelRequirements(labels) ?? [];
  return {
    ...(fieldSelector.length === 0 ? {} : { fieldSelector }),
    ...(labelSelector.length === 0 ? {} : { labelSelector }),
  };
}

/** Returns the requirements in the text of a field selector; `undefined` if it is invalid. */
export function fieldRequirements(text: string): readonly SelectorRequirement[] | undefined {
  const parsed = parseFieldSelector(text);
  if (!parsed.ok) return undefined;
  return parsed.value.terms.map(({ field, operator, value }) => ({
    key: field,
    operator: operator === '=' ? 'In' : 'NotIn',
    values: [value],
  }));
}

/**
 * Returns the requirements in the text of a label selector, sorted by key and without comparisons; `undefined` if it is
 * invalid.
 */
export function labelRequirements(text: string): readonly SelectorRequirement[] | undefined {
  const parsed = parseLabelSelector(text);
  if (!parsed.ok) return undefined;
  const sorted = [...parsed.value.requirements].sort((a, b) => byCodePoint(a.key, b.key));
  return sorted.flatMap(({ key, operator, values }) => {
    const known = operators[operator];
    if (known === undefined) return [];
    return values.length === 0 ? { key, operator: known } : { key, operator: known, values };
  });
}

/**
 * The operators of reviews by operators of selectors. Reviews have no comparisons; without them, the review asks for
 * more objects.
 */
const operators: Readonly<Record<LabelOperator, SelectorRequirement['operator'] | undefined>> = {
  Equals: 'In',
  In: 'In',
  NotEquals: 'NotIn',
  NotIn: 'NotIn',
  Exists: 'Exists',
  DoesNotExist: 'DoesNotExist',
  Gt: undefined,
  Lt: undefined,
};
