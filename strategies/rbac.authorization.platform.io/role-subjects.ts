/** Bindings of roles: which role and which subjects they may name, and how tables show them. */
import type { ApiObject, FieldError, JsonObject, JsonValue } from '../../runtime/contract/index.js';
import { dns1123Subdomain } from '../../runtime/objects/dns-names.js';
import { equal } from '../../runtime/objects/equality.js';
import { invalidValue, notSupported, required, Verbatim } from '../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import { pathSegment } from '../../runtime/objects/names.js';
import { quote } from '../../runtime/objects/printing.js';
import { objectsAt } from '../shared/reading.js';

const subjectKinds = ['ServiceAccount', 'User', 'Group'] as const;

/** Fills in the group of roles where a binding names none; `group` is that group as it is served. */
export function fillInGroups(binding: ApiObject, group: string): void {
  const role = objectAt(binding, 'roleRef');
  if (role !== undefined && stringAt(role, 'apiGroup') === '') role.apiGroup = group;
  for (const subject of objectsAt(binding, 'subjects')) {
    const isPerson = subject.kind === 'User' || subject.kind === 'Group';
    if (isPerson && stringAt(subject, 'apiGroup') === '') subject.apiGroup = group;
  }
}

/** What is wrong with the role that a binding names. */
export function roleReferenceErrors(
  binding: ApiObject,
  group: string,
  kinds: readonly string[],
): readonly FieldError[] {
  const role = objectAt(binding, 'roleRef');
  const [ofGroup, kind, name] = ['apiGroup', 'kind', 'name'].map((field) => stringAt(role, field));
  return [
    ...(ofGroup === group ? [] : [notSupported('roleRef.apiGroup', ofGroup, [group])]),
    ...(kinds.includes(kind ?? '') ? [] : [notSupported('roleRef.kind', kind, kinds)]),
    ...(name === undefined || name === ''
      ? [required('roleRef.name')]
      : pathSegment(name).map((problem) => invalidValue('roleRef.name', name, problem))),
  ];
}

/** What is wrong with those who are granted the role. */
export function subjectErrors(
  binding: ApiObject,
  group: string,
  scope: 'Cluster' | 'Namespaced',
): readonly FieldError[] {
  return objectsAt(binding, 'subjects').flatMap((subject, i) => {
    const field = `subjects[${i}]`;
    const nameless = stringAt(subject, 'name') === '' ? [required(`${field}.name`)] : [];
    return [...nameless, ...kindErrors(subject, field, group, scope)];
  });
}

function kindErrors(
  subject: JsonObject,
  field: string,
  group: string,
  scope: 'Cluster' | 'Namespaced',
): readonly FieldError[] {
  const kind = stringAt(subject, 'kind');
  const ofGroup = stringAt(subject, 'apiGroup');
  if (kind === 'ServiceAccount') return accountErrors(subject, ofGroup, field, scope);
  if (kind !== 'User' && kind !== 'Group') return [notSupported(`${field}.kind`, kind, subjectKinds)];
  return ofGroup === group ? [] : [notSupported(`${field}.apiGroup`, ofGroup, [group])];
}

function accountErrors(
  subject: JsonObject,
  ofGroup: string,
  field: string,
  scope: 'Cluster' | 'Namespaced',
): readonly FieldError[] {
  const name = stringAt(subject, 'name');
  const problems = name === '' ? [] : dns1123Subdomain(name);
  // A binding within a namespace means the accounts of that namespace where it names no other.
  const lacksNamespace = scope === 'Cluster' && stringAt(subject, 'namespace') === '';
  return [
    ...problems.map((problem) => invalidValue(`${field}.name`, name, problem)),
    ...(ofGroup === '' ? [] : [notSupported(`${field}.apiGroup`, ofGroup, [''])]),
    ...(lacksNamespace ? [required(`${field}.namespace`)] : []),
  ];
}

/** A binding grants one role for all of its life. */
export function roleChangeErrors(binding: ApiObject, old: ApiObject): readonly FieldError[] {
  const role = objectAt(binding, 'roleRef');
  if (equal(role, objectAt(old, 'roleRef'))) return [];
  const [group, kind, name] = ['apiGroup', 'kind', 'name'].map((field) => quote(stringAt(role, field)));
  const printed = new Verbatim(`rbac.RoleRef{APIGroup:${group}, Kind:${kind}, Name:${name}}`);
  return [invalidValue('roleRef', printed, 'cannot change roleRef')];
}

/** Cells of the tables of bindings. */
export function bindingCell(binding: ApiObject, column: string): string | undefined {
  const names = (kind: string): string =>
    objectsAt(binding, 'subjects')
      .filter((subject) => subject.kind === kind)
      .map((subject) => nameOf(subject, kind))
      .join(', ');
  const role = objectAt(binding, 'roleRef');
  switch (column) {
    case 'Role':
      return `${stringAt(role, 'kind')}/${stringAt(role, 'name')}`;
    case 'Users':
      return names('User');
    case 'Groups':
      return names('Group');
    case 'ServiceAccounts':
      return names('ServiceAccount');
    default:
      return undefined;
  }
}

const nameOf = (subject: { readonly [key: string]: JsonValue | undefined }, kind: string): string =>
  kind === 'ServiceAccount'
    ? `${stringAt(subject, 'namespace')}/${stringAt(subject, 'name')}`
    : stringAt(subject, 'name');
