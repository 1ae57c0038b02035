/** ValidatingAdmissionPolicy: the rules of its spec and status, and how tables show it. */
import { defineValidatingAdmissionPolicyHandlers } from '../../generated/admissionregistration.platform.io/v1alpha1/validatingadmissionpolicies/handlers.js';
import type { ValidatingAdmissionPolicy } from '../../generated/admissionregistration.platform.io/v1alpha1/validatingadmissionpolicies/types.js';
import type {
  ExpressionWarning,
  MatchResources,
  ParamKind,
} from '../../generated/types/admissionregistration/v1alpha1/types.js';
import type { Draft, DraftObject, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { invalidValue, notSupported, required } from '../../runtime/objects/field-error.js';
import { compileJsonPath } from '../../runtime/objects/json-path/json-path.js';
import { dns1035Label, dns1123Subdomain } from '../../runtime/objects/names/dns-names.js';
import { checkedConditionFields, conditionErrors } from '../shared/conditions.js';
import { matchConditionErrors } from './match-conditions.js';
import { matchResourcesErrors } from './match-resources.js';
import { checkExpressions, policyErrors } from './policy-validations.js';

const failurePolicies = ['Fail', 'Ignore'] as const;

type Policy = DraftObject<ValidatingAdmissionPolicy>;

export function defineValidatingAdmissionPolicies(): KindHandlers {
  return defineValidatingAdmissionPolicyHandlers({
    errorOrder: ['status.typeChecking', ...checkedConditionFields('status.conditions')],
    prepareChecks: ({ spec = {} }, _old, { subresource }) => (subresource === 'status' ? [] : checkExpressions(spec)),
    validate: (policy, { subresource }) => (subresource === 'status' ? statusErrors(policy) : specErrors(policy)),
    columns: {
      Validations: ({ spec }) => spec?.validations?.length ?? 0,
      ParamKind: ({ spec }) => paramKindText(spec?.paramKind),
    },
  });
}

function specErrors({ metadata, spec = {} }: Policy): readonly FieldError[] {
  const { paramKind, matchConstraints, matchConditions } = spec;
  const params = paramKind !== undefined;
  return [
    ...failureErrors(spec.failurePolicy),
    ...paramKindErrors(paramKind),
    ...(matchConstraints === undefined ? [required('spec.matchConstraints')] : constraintErrors(matchConstraints)),
    ...matchConditionErrors(matchConditions, 'spec.matchConditions', { params, authorizer: true, yields: ['bool'] }),
    ...policyErrors(metadata.name ?? '', spec),
  ];
}

function failureErrors(policy: string | undefined): readonly FieldError[] {
  const field = 'spec.failurePolicy';
  if (policy === undefined) return [required(field)];
  return failurePolicies.some((known) => known === policy) ? [] : [notSupported(field, policy, failurePolicies)];
}

function constraintErrors(constraints: Draft<MatchResources>): readonly FieldError[] {
  const field = 'spec.matchConstraints';
  const errors = matchResourcesErrors(constraints, field);
  // The types of objects are known from the resources.
  return constraints.resourceRules?.length ? errors : [...errors, required(`${field}.resourceRules`)];
}

function paramKindErrors(paramKind: Draft<ParamKind> | undefined): readonly FieldError[] {
  if (paramKind === undefined) return [];
  const { apiVersion = '', kind = '' } = paramKind;
  return [...apiVersionErrors(apiVersion, 'spec.paramKind.apiVersion'), ...kindErrors(kind, 'spec.paramKind.kind')];
}

function apiVersionErrors(text: string, field: string): readonly FieldError[] {
  if (text === '') return [required(field)];
  const parts = text.split('/', 3);
  if (parts.length > 2) return [invalidValue(field, text, `unexpected GroupVersion string: ${text}`)];
  const version = parts.at(-1) ?? '';
  const group = parts.length === 2 ? (parts[0] ?? '') : '';
  const groupProblems = group === '' ? [] : dns1123Subdomain(group);
  const versionProblems = version === '' ? [] : dns1035Label(version);
  return [
    ...(groupProblems.length > 0 ? [invalidValue(field, group, groupProblems.join(','))] : []),
    ...(version === '' ? [invalidValue(field, text, 'version must be specified')] : []),
    ...(versionProblems.length > 0 ? [invalidValue(field, version, versionProblems.join(','))] : []),
  ];
}

function kindErrors(kind: string, field: string): readonly FieldError[] {
  if (kind === '') return [required(field)];
  const problems = dns1035Label(kind.toLowerCase());
  const rule = 'may have mixed case, but should otherwise match: ';
  return problems.length === 0 ? [] : [invalidValue(field, kind, rule + problems.join(','))];
}

function statusErrors({ status }: Policy): readonly FieldError[] {
  const warnings = status?.typeChecking?.expressionWarnings ?? [];
  return [
    ...warnings.flatMap((warning, i) => warningErrors(warning, `status.typeChecking.expressionWarnings[${i}]`)),
    ...conditionErrors(status?.conditions, 'status.conditions'),
  ];
}

function warningErrors(
  { fieldRef = '', warning = '' }: Draft<ExpressionWarning>,
  field: string,
): readonly FieldError[] {
  const reference = fieldRef.trim();
  const silent = warning === '' ? [required(`${field}.warning`)] : [];
  if (reference === '') return [...silent, required(`${field}.fieldRef`)];
  const read = compileJsonPath(reference.startsWith('.') ? reference : `.${reference}`);
  if (read.ok) return silent;
  return [...silent, invalidValue(`${field}.fieldRef`, reference, `invalid JSONPath: ${read.failure.message}`)];
}

/** As in `rules.example.com/v1/Rule`. */
function paramKindText(paramKind: Draft<ParamKind> | undefined): string {
  if (paramKind === undefined) return '<unset>';
  const { apiVersion = '', kind = '' } = paramKind;
  return `${apiVersion}/${kind}`;
}
