/** Role: its rules. */
import { defineRoleHandlers } from '../../generated/rbac.authorization.platform.io/v1/roles/handlers.js';
import type { PolicyRule } from '../../generated/types/rbac/v1/types.js';
import type { Draft, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { invalidValue, required, stringList, type Verbatim } from '../../runtime/objects/field-error.js';
import { emulate, type Release } from '../../runtime/objects/release.js';
import { updateChecks } from './update-checks.js';

type Rule = Draft<PolicyRule>;
type Scope = 'Cluster' | 'Namespaced';

/** Checks the rules of a role. Rules of a namespaced role can only name resources. */
export const policyRuleErrors = (rules: readonly Rule[] | null | undefined, scope: Scope): readonly FieldError[] =>
  (rules ?? []).flatMap((rule, i) => ruleErrors(rule, `rules[${i}]`, scope));

function ruleErrors(rule: Rule, field: string, scope: Scope): readonly FieldError[] {
  const missing = (list: keyof Rule & string, problem: string): readonly FieldError[] =>
    rule[list]?.length ? [] : [required(`${field}.${list}`, problem)];
  const verbs = missing('verbs', 'verbs must contain at least one value');
  const { nonResourceURLs: paths = [] } = rule;
  if (paths.length > 0) return [...verbs, ...pathErrors(rule, stringList(paths), `${field}.nonResourceURLs`, scope)];
  return [
    ...verbs,
    ...missing('apiGroups', 'resource rules must supply at least one api group'),
    ...missing('resources', 'resource rules must supply at least one resource'),
  ];
}

function pathErrors(
  { apiGroups = [], resources = [], resourceNames = [] }: Rule,
  paths: Verbatim,
  field: string,
  scope: Scope,
): readonly FieldError[] {
  const alsoResources = [apiGroups, resources, resourceNames].some((list) => list.length > 0);
  const problems = [
    ...(scope === 'Namespaced' ? ['namespaced rules cannot apply to non-resource URLs'] : []),
    ...(alsoResources ? ['rules cannot apply to both regular resources and non-resource URLs'] : []),
  ];
  return problems.map((problem) => invalidValue(field, paths, problem));
}

export const defineRoles = (release: Release = emulate()): KindHandlers =>
  defineRoleHandlers({
    updateChecks: updateChecks(release),
    validate: ({ rules }) => policyRuleErrors(rules, 'Namespaced'),
  });
