/** What is wrong with rules of roles. */
import type { ApiObject, FieldError, JsonObject } from '../../runtime/contract/index.js';
import { invalidValue, required, stringList } from '../../runtime/objects/field-error.js';
import { objectsAt, textsAt } from '../shared/reading.js';

/** Errors of the rules of a role; those of a namespace can only be about resources. */
export function policyRuleErrors(role: ApiObject, scope: 'Cluster' | 'Namespaced'): readonly FieldError[] {
  return objectsAt(role, 'rules').flatMap((rule, i) => ruleErrors(rule, `rules[${i}]`, scope));
}

function ruleErrors(rule: JsonObject, field: string, scope: 'Cluster' | 'Namespaced'): readonly FieldError[] {
  const isEmpty = (list: string): boolean => textsAt(rule, list).length === 0;
  const verbs = isEmpty('verbs') ? [required(`${field}.verbs`, 'verbs must contain at least one value')] : [];
  if (!isEmpty('nonResourceURLs')) return [...verbs, ...pathErrors(rule, `${field}.nonResourceURLs`, scope)];
  return [
    ...verbs,
    ...(isEmpty('apiGroups')
      ? [required(`${field}.apiGroups`, 'resource rules must supply at least one api group')]
      : []),
    ...(isEmpty('resources')
      ? [required(`${field}.resources`, 'resource rules must supply at least one resource')]
      : []),
  ];
}

function pathErrors(rule: JsonObject, field: string, scope: 'Cluster' | 'Namespaced'): readonly FieldError[] {
  const paths = stringList(textsAt(rule, 'nonResourceURLs'));
  const alsoResources = ['apiGroups', 'resources', 'resourceNames'].some((list) => textsAt(rule, list).length > 0);
  const problems = [
    ...(scope === 'Namespaced' ? ['namespaced rules cannot apply to non-resource URLs'] : []),
    ...(alsoResources ? ['rules cannot apply to both regular resources and non-resource URLs'] : []),
  ];
  return problems.map((problem) => invalidValue(field, paths, problem));
}
