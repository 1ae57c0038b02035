/** The requests that a policy is about. */

import type {
  MatchResources,
  NamedRuleWithOperations,
} from '../../generated/types/admissionregistration/v1alpha1/types.js';
import type { LabelSelector } from '../../generated/types/meta/v1/types.js';
import type { Draft, FieldError } from '../../runtime/contract/index.js';
import { duplicate, invalidValue, notSupported, required } from '../../runtime/objects/field-error.js';
import { pathSegment } from '../../runtime/objects/names/names.js';
import { validateLabelSelector } from '../../runtime/objects/selectors/labels.js';
import { admissionRuleErrors } from './admission-rules.js';

const policies = ['Equivalent', 'Exact'] as const;

/** Errors of `matchConstraints` or `matchResources`; `field` is the path that errors name. */
export function matchResourcesErrors(resources: Draft<MatchResources>, field: string): readonly FieldError[] {
  const { matchPolicy = '', namespaceSelector, objectSelector, resourceRules, excludeResourceRules } = resources;
  return [
    ...policyErrors(matchPolicy, `${field}.matchPolicy`),
    ...selectorErrors(namespaceSelector, `${field}.namespaceSelector`),
    // Errors call this field `labelSelector`.
    ...selectorErrors(objectSelector, `${field}.labelSelector`),
    ...rulesErrors(resourceRules, `${field}.resourceRules`),
    ...rulesErrors(excludeResourceRules, `${field}.excludeResourceRules`),
  ];
}

function policyErrors(policy: string, field: string): readonly FieldError[] {
  return policies.some((known) => known === policy) ? [] : [notSupported(field, policy, policies)];
}

const selectorErrors = (selector: Draft<LabelSelector> | undefined, field: string): readonly FieldError[] =>
  selector === undefined ? [required(field)] : validateLabelSelector(selector, field);

type Rule = Draft<NamedRuleWithOperations>;

const rulesErrors = (rules: readonly Rule[] = [], field: string): readonly FieldError[] =>
  rules.flatMap((rule, i) => ruleErrors(rule, `${field}[${i}]`));

function ruleErrors(rule: Rule, field: string): readonly FieldError[] {
  const { resourceNames = [] } = rule;
  const seen = new Set<string>();
  const names = resourceNames.flatMap((name, i) => {
    const at = `${field}.resourceNames[${i}]`;
    const again = seen.has(name) ? [duplicate(at, name)] : [];
    seen.add(name);
    return [...pathSegment(name).map((problem) => invalidValue(at, name, problem)), ...again];
  });
  return [...names, ...admissionRuleErrors(rule, field)];
}
