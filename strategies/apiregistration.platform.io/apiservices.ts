/** APIService: what it is called, where it stands among others, and how tables show it. */
import type { ApiObject, FieldError, JsonObject, JsonValue, Strategy } from '../../runtime/contract/index.js';
import { dns1035Label, dns1123Subdomain } from '../../runtime/objects/dns-names.js';
import { invalidValue, notSupported, required } from '../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import { portNumberProblems } from '../../runtime/objects/network-names.js';
import { quote } from '../../runtime/objects/printing.js';
import { numberAt, objectsAt } from '../shared/reading.js';

const maxGroupPriority = 20000;
const maxVersionPriority = 1000;
const statuses = ['True', 'False', 'Unknown'] as const;

export function defineAPIServiceStrategy(): Strategy {
  return {
    kind: 'apiregistration.platform.io/APIService',
    prepareForCreate(object, { now }) {
      // What the server answers itself is there from the start; others have to be looked for.
      if (objectAt(specOf(object), 'service') === undefined) object.status = { conditions: [localCondition(now)] };
    },
    validate: (object, { subresource }) =>
      subresource === 'status' ? statusErrors(object) : [...nameErrors(object), ...specErrors(specOf(object) ?? {})],
    cell: serviceCell,
  };
}

const specOf = (object: ApiObject): JsonObject | undefined => objectAt(object, 'spec');

const conditionsOf = (object: ApiObject): readonly JsonObject[] => objectsAt(objectAt(object, 'status'), 'conditions');

const localCondition = (now: string): JsonObject => ({
  type: 'Available',
  status: 'True',
  lastTransitionTime: now,
  reason: 'Local',
  message: 'Local APIServices are always available',
});

function nameErrors(object: ApiObject): readonly FieldError[] {
  const { name = '' } = object.metadata;
  const spec = specOf(object);
  const wanted = `${stringAt(spec, 'version')}.${stringAt(spec, 'group')}`;
  if (name === wanted || name === '') return [];
  return [invalidValue('metadata.name', name, `must be \`spec.version+"."+spec.group\`: ${quote(wanted)}`)];
}

function specErrors(spec: JsonObject): readonly FieldError[] {
  const group = stringAt(spec, 'group');
  const version = stringAt(spec, 'version');
  return [
    ...(group === '' && version !== 'v1'
      ? [required('spec.group', 'only v1 may have an empty group and it better be legacy kube')]
      : []),
    ...(group === '' ? [] : dns1123Subdomain(group).map((problem) => invalidValue('spec.group', group, problem))),
    ...dns1035Label(version).map((problem) => invalidValue('spec.version', version, problem)),
    ...priorityErrors(spec, 'groupPriorityMinimum', maxGroupPriority),
    ...priorityErrors(spec, 'versionPriority', maxVersionPriority),
    ...serviceErrors(spec),
  ];
}

function priorityErrors(spec: JsonObject, field: string, maximum: number): readonly FieldError[] {
  const priority = numberAt(spec, field);
  if (priority > 0 && priority <= maximum) return [];
  return [invalidValue(`spec.${field}`, priority, `must be positive and less than ${maximum}`)];
}

function serviceErrors(spec: JsonObject): readonly FieldError[] {
  const service = objectAt(spec, 'service');
  const authorities = Buffer.byteLength(stringAt(spec, 'caBundle'), 'base64');
  const unchecked = spec.insecureSkipTLSVerify === true;
  const uncheckedError = (why: string): FieldError => invalidValue('spec.insecureSkipTLSVerify', true, why);
  if (service === undefined) {
    const why = 'local APIServices may not have a caBundle';
    return [
      ...(authorities > 0 ? [invalidValue('spec.caBundle', `${authorities} bytes`, why)] : []),
      ...(unchecked ? [uncheckedError('local APIServices may not have insecureSkipTLSVerify')] : []),
    ];
  }
  const missing = ['namespace', 'name'].filter((field) => stringAt(service, field) === '');
  return [
    ...missing.map((field) => required(`spec.service.${field}`)),
    ...portErrors(service.port),
    ...(unchecked && authorities > 0 ? [uncheckedError('may not be true if caBundle is present')] : []),
  ];
}

function portErrors(port: JsonValue | undefined): readonly FieldError[] {
  if (typeof port !== 'number') return [];
  return portNumberProblems(port).map((problem) =>
    invalidValue('spec.service.port', port, `port is not valid: ${problem}`),
  );
}

function statusErrors(object: ApiObject): readonly FieldError[] {
  return conditionsOf(object).flatMap((condition, i) => {
    const status = stringAt(condition, 'status');
    if (statuses.some((known) => known === status)) return [];
    return [notSupported(`status.conditions[${i}].status`, status, statuses)];
  });
}

const serviceCell: Strategy['cell'] = (object, column) => {
  const service = objectAt(specOf(object), 'service');
  if (column === 'Service') {
    return service === undefined ? 'Local' : `${stringAt(service, 'namespace')}/${stringAt(service, 'name')}`;
  }
  return column === 'Available' ? availability(object) : undefined;
};

function availability(object: ApiObject): string {
  const found = conditionsOf(object).find((condition) => condition.type === 'Available');
  if (found === undefined) return 'Unknown';
  const [status, reason] = [stringAt(found, 'status'), stringAt(found, 'reason')];
  return status === 'True' || reason === '' ? status : `${status} (${reason})`;
}
