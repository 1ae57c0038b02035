/** Subjects of flow schemas: each names one user, group or service account. */
import type { ServiceAccountSubject, Subject } from '../../generated/types/flowcontrol/v1beta3/types.js';
import type { Draft, FieldError } from '../../runtime/contract/index.js';
import { forbidden, invalidValue, notSupported, required } from '../../runtime/objects/field-error.js';
import { dns1123Label, dns1123Subdomain } from '../../runtime/objects/names/dns-names.js';

/** The field of each kind of subject, in the order in which misplaced fields are reported. */
const fields = { ServiceAccount: 'serviceAccount', User: 'user', Group: 'group' } as const;

/** The kinds in the order in which messages name them. */
const kinds = ['Group', 'ServiceAccount', 'User'] as const;

/** Errors of one subject. */
export function flowSubjectErrors(subject: Draft<Subject>, field: string): readonly FieldError[] {
  const kind = kinds.find((known) => known === subject.kind);
  if (kind === undefined) return [notSupported(`${field}.kind`, subject.kind ?? '', kinds)];
  const own = fields[kind];
  const outOfPlace = Object.entries(fields).filter(([other, name]) => other !== kind && subject[name] !== undefined);
  return [
    ...namedErrors(subject[own], kind, `${field}.${own}`),
    ...outOfPlace.map(([other, name]) =>
      forbidden(`${field}.${name}`, `${name} is forbidden when subject kind is not '${other}'`),
    ),
  ];
}

/** A subject of any kind; only service accounts have a namespace. */
type Named = Draft<ServiceAccountSubject>;

function namedErrors(named: Named | undefined, kind: keyof typeof fields, field: string): readonly FieldError[] {
  if (named === undefined) return [required(field, `${fields[kind]} is required when subject kind is '${kind}'`)];
  const { name = '', namespace = '' } = named;
  const nameless = name === '' ? [required(`${field}.name`)] : [];
  if (kind !== 'ServiceAccount') return nameless;
  const problems = name === '' || name === '*' ? [] : dns1123Subdomain(name);
  return [
    ...nameless,
    ...problems.map((problem) => invalidValue(`${field}.name`, name, problem)),
    ...namespaceErrors(namespace, `${field}.namespace`),
  ];
}

function namespaceErrors(namespace: string, field: string): readonly FieldError[] {
  if (namespace === '') return [required(field, 'must specify namespace for service account')];
  return dns1123Label(namespace).map((problem) => invalidValue(field, namespace, problem));
}
