/** Node selectors and label selectors. */
import type { NodeSelector, NodeSelectorRequirement, NodeSelectorTerm } from '../../generated/types/core/v1/types.js';
import type { LabelSelector } from '../../generated/types/meta/v1/types.js';
import type { Draft, FieldError } from '../../runtime/contract/index.js';
import { forbidden, invalidValue, required } from '../../runtime/objects/field-error.js';
import { dns1123Subdomain, labelValue, qualifiedNameCheck } from '../../runtime/objects/names/name-checks.js';
import {
  type Labels,
  labelSelectorOf,
  validateLabelSelector as selectorErrors,
} from '../../runtime/objects/selectors/labels.js';
import { checkText, type FieldErrors } from './field-checks.js';

/** At least one term of a node selector must match. */
export function* checkNodeSelector(selector: Draft<NodeSelector>, path: string, withValues = false): FieldErrors {
  const terms = selector.nodeSelectorTerms ?? [];
  const at = `${path}.nodeSelectorTerms`;
  if (terms.length === 0) yield required(at, 'must have at least one node selector term');
  for (const [i, term] of terms.entries()) yield* checkNodeSelectorTerm(term, `${at}[${i}]`, withValues);
}

/** All conditions of a term must match. `withValues`: also checks if labels can have the values. */
export function* checkNodeSelectorTerm(term: Draft<NodeSelectorTerm>, path: string, withValues = false): FieldErrors {
  const { matchExpressions = [], matchFields = [] } = term;
  for (const [i, requirement] of matchExpressions.entries()) {
    const at = `${path}.matchExpressions[${i}]`;
    yield* checkLabel(requirement, at);
    if (!withValues) continue;
    for (const [j, value] of (requirement.values ?? []).entries()) {
      yield* checkText(`${at}.values[${j}]`, value, labelValue);
    }
  }
  for (const [i, requirement] of matchFields.entries()) yield* checkField(requirement, `${path}.matchFields[${i}]`);
}

function* checkLabel(requirement: Draft<NodeSelectorRequirement>, path: string): FieldErrors {
  const { key = '', operator = '', values = [] } = requirement;
  const at = `${path}.values`;
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length === 0) yield required(at, "must be specified when `operator` is 'In' or 'NotIn'");
      break;
    case 'Exists':
    case 'DoesNotExist':
      if (values.length > 0) yield forbidden(at, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
      break;
    case 'Gt':
    case 'Lt':
      if (values.length !== 1) yield required(at, "must be specified single value when `operator` is 'Lt' or 'Gt'");
      break;
    default:
      yield invalidValue(`${path}.operator`, operator, 'not a valid selector operator');
  }
  yield* checkText(`${path}.key`, key, qualifiedNameCheck);
}

function* checkField(requirement: Draft<NodeSelectorRequirement>, path: string): FieldErrors {
  const { key = '', operator = '', values = [] } = requirement;
  if (operator !== 'In' && operator !== 'NotIn') {
    yield invalidValue(`${path}.operator`, operator, 'not a valid selector operator');
  } else if (values.length !== 1) {
    const problem = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
    yield required(`${path}.values`, problem);
  }
  if (key !== 'metadata.name') yield invalidValue(`${path}.key`, key, 'not a valid field selector key');
  else for (const [i, value] of values.entries()) yield* checkText(`${path}.values[${i}]`, value, dns1123Subdomain);
}

type Selector = Draft<LabelSelector> | undefined;

/** Checks a label selector at a path. A missing one has no errors. */
export const validateLabelSelector = (selector: Selector, path: string): readonly FieldError[] =>
  selector ? selectorErrors(selector, path) : [];

/** Returns whether a selector exists but has no condition, so that it matches everything. */
export function isEmptySelector(selector: Selector): boolean {
  if (!selector) return false;
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;
}

/** Returns whether a selector is malformed and cannot be evaluated. */
export const isMistakenSelector = (selector: Selector): boolean => !labelSelectorOf(selector).ok;

/** Returns whether a selector matches labels; a missing or malformed one matches nothing. */
export function selectorMatches(selector: Selector, labels: Labels = {}): boolean {
  const compiled = labelSelectorOf(selector);
  return compiled.ok && compiled.value.matches(labels);
}
