/** ValidatingAdmissionPolicyBinding: the rules of its spec, and how tables show it. */
import { defineValidatingAdmissionPolicyBindingHandlers } from '../../generated/admissionregistration.platform.io/v1alpha1/validatingadmissionpolicybindings/handlers.js';
import type { ValidatingAdmissionPolicyBinding } from '../../generated/admissionregistration.platform.io/v1alpha1/validatingadmissionpolicybindings/types.js';
import type { MatchResources, NamedRuleWithOperations } from '../../generated/types/admissionregistration/v1/types.js';
import type { ParamRef } from '../../generated/types/admissionregistration/v1beta1/types.js';
import type { LabelSelector } from '../../generated/types/meta/v1/types.js';
import type { Draft, DraftObject, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import {
  duplicate,
  forbidden,
  invalidValue,
  notSupported,
  required,
  stringList,
} from '../../runtime/objects/field-error.js';
import { dns1123Subdomain } from '../../runtime/objects/names/name-checks.js';
import { pathSegment } from '../../runtime/objects/names/names.js';
import { emulate, type Release } from '../../runtime/objects/release.js';
import { validateLabelSelector } from '../../runtime/objects/selectors/labels.js';
import { admissionRuleErrors } from './admission-rules.js';

const policies = ['Equivalent', 'Exact'] as const;

/** Checks `matchConstraints` or `matchResources`; `field` is the path in errors. */
export function matchResourcesErrors(
  resources: Draft<MatchResources>,
  field: string,
  later: boolean,
): readonly FieldError[] {
  const { matchPolicy = '', namespaceSelector, objectSelector, resourceRules, excludeResourceRules } = resources;
  return [
    ...policyErrors(matchPolicy, `${field}.matchPolicy`),
    ...selectorErrors(namespaceSelector, `${field}.namespaceSelector`),
    // Errors of release 1.27 call this field `labelSelector`.
    ...selectorErrors(objectSelector, `${field}.${later ? 'objectSelector' : 'labelSelector'}`),
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

const actions = ['Audit', 'Deny', 'Warn'] as const;

export const defineValidatingAdmissionPolicyBindings = ({ does }: Pick<Release, 'does'> = emulate()): KindHandlers =>
  defineValidatingAdmissionPolicyBindingHandlers({
    metadataChecks: 'any finalizers',
    updateChecks: ['metadata', 'fields'],
    validate: (binding) => bindingErrors(binding, does('laterPolicies')),
    columns: { ParamRef: ({ spec }) => paramRefText(spec?.paramRef) },
  });

function bindingErrors(
  { spec = {} }: DraftObject<ValidatingAdmissionPolicyBinding>,
  later: boolean,
): readonly FieldError[] {
  const { policyName = '', paramRef, matchResources, validationActions = [] } = spec;
  return [
    ...policyNameErrors(policyName),
    ...parameterErrors(paramRef, later),
    // Clients of release 1.27 know the path with this spelling.
    ...(matchResources === undefined
      ? []
      : matchResourcesErrors(matchResources, later ? 'spec.matchResources' : 'spec.matchResouces', later)),
    ...actionErrors(validationActions, 'spec.validationActions'),
  ];
}

const notFoundActions = ['Deny', 'Allow'] as const;

/** Checks that parameters are either named or selected. Release 1.27 has no `parameterNotFoundAction`. */
export function parameterErrors(reference: Draft<ParamRef> | undefined, later: boolean): readonly FieldError[] {
  if (reference === undefined) return [];
  const field = 'spec.paramRef';
  const { name = '', selector, parameterNotFoundAction: action } = reference;
  const problems = name === '' ? [] : pathSegment(name).map((problem) => invalidValue(`${field}.name`, name, problem));
  if (!later) return problems;
  const both = 'name and selector are mutually exclusive';
  return [
    ...problems,
    ...(name !== '' && selector ? [forbidden(`${field}.name`, both), forbidden(`${field}.selector`, both)] : []),
    ...(name === '' && !selector ? [required(field, 'one of name or selector must be specified')] : []),
    ...(selector ? validateLabelSelector(selector, `${field}.selector`) : []),
    ...(action === undefined ? [required(`${field}.parameterNotFoundAction`)] : []),
    ...(action === undefined || notFoundActions.some((known) => known === action)
      ? []
      : [notSupported(`${field}.parameterNotFoundAction`, action, notFoundActions)]),
  ];
}

/** Checks the name of the policy that a binding uses. */
export function policyNameErrors(name: string): readonly FieldError[] {
  const field = 'spec.policyName';
  if (name === '') return [required(field)];
  return dns1123Subdomain(name).map((problem) => invalidValue(field, name, problem));
}

const denyAndWarn =
  'must not contain both Deny and Warn (repeating the same validation failure information in the API response and ' +
  'headers serves no purpose)';

function actionErrors(list: readonly string[], field: string): readonly FieldError[] {
  const seen = new Set<string>();
  const errors = list.flatMap((action, i) => {
    const at = `${field}[${i}]`;
    const again = seen.has(action) ? [duplicate(at, action)] : [];
    seen.add(action);
    return [...(actions.some((known) => known === action) ? [] : [notSupported(at, action, actions)]), ...again];
  });
  if (list.length === 0) return [required(field, 'at least one validation action is required')];
  if (!seen.has('Deny') || !seen.has('Warn')) return errors;
  return [...errors, invalidValue(field, stringList(list, '[]admissionregistration.ValidationAction'), denyAndWarn)];
}

/** Returns the parameters of a binding, as in `settings/strict`; a star stands for no namespace. */
export function paramRefText(reference: Draft<ParamRef> | undefined): string {
  if (reference === undefined) return '<unset>';
  const { namespace = '', name = '' } = reference;
  return `${namespace || '*'}/${name}`;
}
