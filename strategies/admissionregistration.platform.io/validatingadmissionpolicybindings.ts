/** ValidatingAdmissionPolicyBinding: which policy is used where, and how tables show it. */
import type { ApiObject, FieldError, JsonObject, Strategy } from '../../runtime/contract/index.js';
import { dns1123Subdomain } from '../../runtime/objects/dns-names.js';
import { duplicate, invalidValue, notSupported, required, stringList } from '../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import { pathSegment } from '../../runtime/objects/names.js';
import { textsAt } from '../shared/reading.js';
import { matchResourcesErrors } from './match-resources.js';

const actions = ['Audit', 'Deny', 'Warn'] as const;

export function defineValidatingAdmissionPolicyBindingStrategy(): Strategy {
  return {
    kind: 'admissionregistration.platform.io/ValidatingAdmissionPolicyBinding',
    validate: bindingErrors,
    cell: bindingCell,
  };
}

const specOf = (object: ApiObject): JsonObject | undefined => objectAt(object, 'spec');

function bindingErrors(object: ApiObject): readonly FieldError[] {
  const spec = specOf(object);
  const parameters = stringAt(objectAt(spec, 'paramRef'), 'name');
  const resources = objectAt(spec, 'matchResources');
  const parameterProblems = parameters === '' ? [] : pathSegment(parameters);
  return [
    ...nameErrors(stringAt(spec, 'policyName')),
    ...parameterProblems.map((problem) => invalidValue('spec.paramRef.name', parameters, problem)),
    // The path is what clients know, spelling included.
    ...(resources === undefined ? [] : matchResourcesErrors(resources, 'spec.matchResouces')),
    ...actionErrors(textsAt(spec, 'validationActions'), 'spec.validationActions'),
  ];
}

function nameErrors(name: string): readonly FieldError[] {
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

const bindingCell: Strategy['cell'] = (object, column) => {
  if (column !== 'ParamRef') return undefined;
  const reference = objectAt(specOf(object), 'paramRef');
  if (reference === undefined) return '<unset>';
  const namespace = stringAt(reference, 'namespace');
  return `${namespace === '' ? '*' : namespace}/${stringAt(reference, 'name')}`;
};
