/** ValidatingAdmissionPolicy: which demands are sound, and how tables show it. */
import type { ApiObject, FieldError, JsonObject, Strategy } from '../../runtime/contract/index.js';
import { dns1035Label, dns1123Subdomain } from '../../runtime/objects/dns-names.js';
import { invalidValue, notSupported, required } from '../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import { compileJsonPath } from '../../runtime/objects/json-path.js';
import { conditionErrors } from '../shared/conditions.js';
import { hasAt, objectsAt } from '../shared/reading.js';
import { matchConditionErrors } from './match-conditions.js';
import { matchResourcesErrors } from './match-resources.js';
import { policyErrors } from './policy-validations.js';

const failurePolicies = ['Fail', 'Ignore'] as const;

export function defineValidatingAdmissionPolicyStrategy(): Strategy {
  return {
    kind: 'admissionregistration.platform.io/ValidatingAdmissionPolicy',
    validate: (object, { subresource }) => (subresource === 'status' ? statusErrors(object) : specErrors(object)),
    cell: policyCell,
  };
}

function specErrors(object: ApiObject): readonly FieldError[] {
  const spec = objectAt(object, 'spec') ?? {};
  const constraints = objectAt(spec, 'matchConstraints');
  const params = hasAt(spec, 'paramKind');
  return [
    ...failureErrors(spec),
    ...paramKindErrors(objectAt(spec, 'paramKind')),
    ...(constraints === undefined ? [required('spec.matchConstraints')] : constraintErrors(constraints)),
    ...matchConditionErrors(spec, 'spec.matchConditions', { params, authorizer: true, yields: ['bool'] }),
    ...policyErrors(object.metadata.name ?? '', spec),
  ];
}

function failureErrors(spec: JsonObject): readonly FieldError[] {
  const field = 'spec.failurePolicy';
  const policy = stringAt(spec, 'failurePolicy');
  if (!hasAt(spec, 'failurePolicy')) return [required(field)];
  return failurePolicies.some((known) => known === policy) ? [] : [notSupported(field, policy, failurePolicies)];
}

function constraintErrors(constraints: JsonObject): readonly FieldError[] {
  const field = 'spec.matchConstraints';
  const errors = matchResourcesErrors(constraints, field);
  // Without a resource nothing is known about the types of objects.
  return objectsAt(constraints, 'resourceRules').length > 0 ? errors : [...errors, required(`${field}.resourceRules`)];
}

function paramKindErrors(kind: JsonObject | undefined): readonly FieldError[] {
  if (kind === undefined) return [];
  return [
    ...apiVersionErrors(stringAt(kind, 'apiVersion'), 'spec.paramKind.apiVersion'),
    ...kindErrors(stringAt(kind, 'kind'), 'spec.paramKind.kind'),
  ];
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

function statusErrors(object: ApiObject): readonly FieldError[] {
  const status = objectAt(object, 'status');
  const warnings = objectsAt(objectAt(status, 'typeChecking'), 'expressionWarnings');
  return [
    ...warnings.flatMap((warning, i) => warningErrors(warning, `status.typeChecking.expressionWarnings[${i}]`)),
    ...conditionErrors(status, 'status.conditions'),
  ];
}

function warningErrors(warning: JsonObject, field: string): readonly FieldError[] {
  const reference = stringAt(warning, 'fieldRef').trim();
  const silent = stringAt(warning, 'warning') === '' ? [required(`${field}.warning`)] : [];
  if (reference === '') return [...silent, required(`${field}.fieldRef`)];
  const read = compileJsonPath(reference.startsWith('.') ? reference : `.${reference}`);
  if (read.ok) return silent;
  return [...silent, invalidValue(`${field}.fieldRef`, reference, `invalid JSONPath: ${read.failure.message}`)];
}

const policyCell: Strategy['cell'] = (object, column) => {
  const spec = objectAt(object, 'spec');
  if (column === 'Validations') return objectsAt(spec, 'validations').length;
  return column === 'ParamKind' ? paramKindText(objectAt(spec, 'paramKind')) : undefined;
};

/** As in `rules.example.com/v1/Rule`. */
function paramKindText(kind: JsonObject | undefined): string {
  if (kind === undefined) return '<unset>';
  return `${stringAt(kind, 'apiVersion')}/${stringAt(kind, 'kind')}`;
}
