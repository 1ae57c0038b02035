/** APIService: its name, its priority among other services, and its columns. */
import { defineAPIServiceHandlers } from '../../generated/apiregistration.platform.io/v1/apiservices/handlers.js';
import type { APIService } from '../../generated/apiregistration.platform.io/v1/apiservices/types.js';
import type { APIServiceCondition, APIServiceSpec } from '../../generated/types/apiregistration/v1/types.js';
import type { Draft, DraftObject, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { invalidValue, notSupported, required } from '../../runtime/objects/field-error.js';
import { dns1035Label, dns1123Subdomain } from '../../runtime/objects/names/name-checks.js';
import { portNumberProblems } from '../../runtime/objects/names/network-names.js';
import { quote } from '../../runtime/objects/printing.js';

const maxGroupPriority = 20000;
const maxVersionPriority = 1000;
const statuses = ['True', 'False', 'Unknown'] as const;

type Service = DraftObject<APIService>;
type Spec = Draft<APIServiceSpec>;

export const defineAPIServices = (): KindHandlers =>
  defineAPIServiceHandlers({
    metadataChecks: 'any finalizers',
    updateChecks: ['metadata changes', 'metadata', 'fields'],
    prepareForCreate(object, { now }) {
      // A group that the server serves itself is available at once; a service must be found first.
      if (object.spec?.service === undefined) object.status = { conditions: [localCondition(now)] };
    },
    validate: (object, { subresource }) =>
      subresource === 'status' ? statusErrors(object) : [...nameErrors(object), ...specErrors(object.spec ?? {})],
    columns: { Service: serviceText, Available: availability },
  });

const conditionsOf = ({ status }: Service): readonly Draft<APIServiceCondition>[] => status?.conditions ?? [];

const localCondition = (now: string): Draft<APIServiceCondition> => ({
  type: 'Available',
  status: 'True',
  lastTransitionTime: now,
  reason: 'Local',
  message: 'Local APIServices are always available',
});

function nameErrors({ metadata, spec = {} }: Service): readonly FieldError[] {
  const { name = '' } = metadata;
  const { group = '', version = '' } = spec;
  const wanted = `${version}.${group}`;
  if (name === wanted || name === '') return [];
  return [invalidValue('metadata.name', name, `must be \`spec.version+"."+spec.group\`: ${quote(wanted)}`)];
}

function specErrors(spec: Spec): readonly FieldError[] {
  const { group = '', version = '', groupPriorityMinimum, versionPriority } = spec;
  return [
    ...(group === '' && version !== 'v1'
      ? [required('spec.group', 'only v1 may have an empty group and it better be legacy kube')]
      : []),
    ...(group === '' ? [] : dns1123Subdomain(group).map((problem) => invalidValue('spec.group', group, problem))),
    ...dns1035Label(version).map((problem) => invalidValue('spec.version', version, problem)),
    ...priorityErrors(groupPriorityMinimum, 'spec.groupPriorityMinimum', maxGroupPriority),
    ...priorityErrors(versionPriority, 'spec.versionPriority', maxVersionPriority),
    ...serviceErrors(spec),
  ];
}

function priorityErrors(priority = 0, field: string, maximum: number): readonly FieldError[] {
  if (priority > 0 && priority <= maximum) return [];
  return [invalidValue(field, priority, `must be positive and less than ${maximum}`)];
}

function serviceErrors({ service, caBundle = '', insecureSkipTLSVerify: unchecked }: Spec): readonly FieldError[] {
  const authorities = Buffer.byteLength(caBundle, 'base64');
  const uncheckedError = (why: string): FieldError => invalidValue('spec.insecureSkipTLSVerify', true, why);
  if (service === undefined) {
    const why = 'local APIServices may not have a caBundle';
    return [
      ...(authorities > 0 ? [invalidValue('spec.caBundle', `${authorities} bytes`, why)] : []),
      ...(unchecked ? [uncheckedError('local APIServices may not have insecureSkipTLSVerify')] : []),
    ];
  }
  const missing = (['namespace', 'name'] as const).filter((field) => !service[field]);
  return [
    ...missing.map((field) => required(`spec.service.${field}`)),
    ...portErrors(service.port),
    ...(unchecked && authorities > 0 ? [uncheckedError('may not be true if caBundle is present')] : []),
  ];
}

function portErrors(port: number | undefined): readonly FieldError[] {
  if (port === undefined) return [];
  return portNumberProblems(port).map((problem) =>
    invalidValue('spec.service.port', port, `port is not valid: ${problem}`),
  );
}

function statusErrors(object: Service): readonly FieldError[] {
  return conditionsOf(object).flatMap(({ status = '' }, i) => {
    if (statuses.some((known) => known === status)) return [];
    return [notSupported(`status.conditions[${i}].status`, status, statuses)];
  });
}

function serviceText({ spec }: Service): string {
  if (spec?.service === undefined) return 'Local';
  const { namespace = '', name = '' } = spec.service;
  return `${namespace}/${name}`;
}

function availability(object: Service): string {
  const found = conditionsOf(object).find(({ type }) => type === 'Available');
  if (found === undefined) return 'Unknown';
  const { status = '', reason = '' } = found;
  return status === 'True' || reason === '' ? status : `${status} (${reason})`;
}
