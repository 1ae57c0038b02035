/** Subjects of flow schemas: each names one user, group or service account. */
import type { FieldError, JsonObject } from '../../runtime/contract/index.js';
import { dns1123Label, dns1123Subdomain } from '../../runtime/objects/dns-names.js';
import { forbidden, invalidValue, notSupported, required } from '../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';

/** The field of each kind of subject, in the order in which fields that are out of place are told. */
const fields = { ServiceAccount: 'serviceAccount', User: 'user', Group: 'group' } as const;

/** The kinds in the order in which messages name them. */
const kinds = ['Group', 'ServiceAccount', 'User'] as const;

/** What is wrong with one subject. */
export function flowSubjectErrors(subject: JsonObject, field: string): readonly FieldError[] {
  const kind = kinds.find((known) => known === subject.kind);
  if (kind === undefined) return [notSupported(`${field}.kind`, stringAt(subject, 'kind'), kinds)];
  const own = fields[kind];
  const outOfPlace = Object.entries(fields).filter(
    ([other, name]) => other !== kind && objectAt(subject, name) !== undefined,
  );
  return [
    ...namedErrors(objectAt(subject, own), kind, `${field}.${own}`),
    ...outOfPlace.map(([other, name]) =>
      forbidden(`${field}.${name}`, `${name} is forbidden when subject kind is not '${other}'`),
    ),
  ];
}

function namedErrors(named: JsonObject | undefined, kind: keyof typeof fields, field: string): readonly FieldError[] {
  if (named === undefined) return [required(field, `${fields[kind]} is required when subject kind is '${kind}'`)];
  const name = stringAt(named, 'name');
  const nameless = name === '' ? [required(`${field}.name`)] : [];
  if (kind !== 'ServiceAccount') return nameless;
  const problems = name === '' || name === '*' ? [] : dns1123Subdomain(name);
  return [
    ...nameless,
    ...problems.map((problem) => invalidValue(`${field}.name`, name, problem)),
    ...namespaceErrors(stringAt(named, 'namespace'), `${field}.namespace`),
  ];
}

function namespaceErrors(namespace: string, field: string): readonly FieldError[] {
  if (namespace === '') return [required(field, 'must specify namespace for service account')];
  return dns1123Label(namespace).map((problem) => invalidValue(field, namespace, problem));
}
