/** Rules that the specs of validating and mutating policies share. */
import type { MatchResources, ParamKind } from '../../generated/types/admissionregistration/v1/types.js';
import type { Draft, FieldError } from '../../runtime/contract/index.js';
import { invalidValue, notSupported, required } from '../../runtime/objects/field-error.js';
import { dns1035Label, dns1123Subdomain } from '../../runtime/objects/names/name-checks.js';
import { matchResourcesErrors } from './validatingadmissionpolicybindings.js';

const failurePolicies = ['Fail', 'Ignore'] as const;

/** Checks the handling of failures. */
export function failureErrors(policy: string | undefined): readonly FieldError[] {
  const field = 'spec.failurePolicy';
  if (policy === undefined) return [required(field)];
  return failurePolicies.some((known) => known === policy) ? [] : [notSupported(field, policy, failurePolicies)];
}

/** Checks which requests a policy matches: it must name resources. */
export function constraintErrors(
  constraints: Draft<MatchResources> | undefined,
  later: boolean,
): readonly FieldError[] {
  const field = 'spec.matchConstraints';
  if (constraints === undefined) return [required(field)];
  const errors = matchResourcesErrors(constraints, field, later);
  // The resources determine the types of objects.
  return constraints.resourceRules?.length ? errors : [...errors, required(`${field}.resourceRules`)];
}

/** Checks the kind of a policy's parameters. */
export function paramKindErrors(paramKind: Draft<ParamKind> | undefined): readonly FieldError[] {
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

/** Returns the parameter kind, as in `rules.example.com/v1/Rule`. */
export function paramKindText(paramKind: Draft<ParamKind> | undefined): string {
  if (paramKind === undefined) return '<unset>';
  const { apiVersion = '', kind = '' } = paramKind;
  return `${apiVersion}/${kind}`;
}
