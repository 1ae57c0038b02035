/** RoleBinding: its role and subjects, and its columns. */
import { defineRoleBindingHandlers } from '../../generated/rbac.authorization.platform.io/v1/rolebindings/handlers.js';
import type { RoleBinding } from '../../generated/rbac.authorization.platform.io/v1/rolebindings/types.js';
import type { Subject as NamedSubject } from '../../generated/types/rbac/v1/types.js';
import type {
  Draft,
  DraftObject,
  FieldError,
  JsonObject,
  KindHandlers,
  NamedConversion,
  Rename,
} from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { invalidValue, notSupported, required, Verbatim } from '../../runtime/objects/field-error.js';
import { isObject, stringAt } from '../../runtime/objects/guards.js';
import { dns1123Subdomain } from '../../runtime/objects/names/name-checks.js';
import { pathSegment } from '../../runtime/objects/names/names.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { quote } from '../../runtime/objects/printing.js';
import { emulate, type Release } from '../../runtime/objects/release.js';
import { updateChecks } from './update-checks.js';

const subjectKinds = ['ServiceAccount', 'User', 'Group'] as const;

/** A binding of either kind; both have the same fields. */
type Binding = DraftObject<RoleBinding>;

type Subject = Draft<NamedSubject>;

/**
 * Creates the handlers of one kind of binding. `roles` are the kinds of roles that it may name; `group` is their group
 * in the naming that is served.
 */
export function bindingHandlers(
  scope: 'Cluster' | 'Namespaced',
  roles: readonly string[],
  group: string,
  release: Release,
) {
  const errors = (binding: Binding): readonly FieldError[] => [
    ...roleReferenceErrors(binding, group, roles),
    ...subjectErrors(binding, group, scope),
  ];
  return {
    updateChecks: updateChecks(release),
    canonicalize: (binding: Binding): void => fillInGroups(binding, group),
    validate: errors,
    validateUpdate: roleChangeErrors,
    columns: {
      Role: ({ roleRef = {} }: Binding) => `${roleRef.kind ?? ''}/${roleRef.name ?? ''}`,
      Users: subjectText('User'),
      Groups: subjectText('Group'),
      ServiceAccounts: subjectText('ServiceAccount'),
    },
  };
}

/** Fills in the group of roles if a binding names none. */
function fillInGroups({ roleRef, subjects = [] }: Binding, group: string): void {
  if (roleRef !== undefined) roleRef.apiGroup ||= group;
  for (const subject of subjects) {
    if (subject.kind === 'User' || subject.kind === 'Group') subject.apiGroup ||= group;
  }
}

/** Checks the role that a binding names. */
function roleReferenceErrors(
  { roleRef = {} }: Binding,
  group: string,
  kinds: readonly string[],
): readonly FieldError[] {
  const { apiGroup = '', kind = '', name = '' } = roleRef;
  return [
    ...(apiGroup === group ? [] : [notSupported('roleRef.apiGroup', apiGroup, [group])]),
    ...(kinds.includes(kind) ? [] : [notSupported('roleRef.kind', kind, kinds)]),
    ...(name === ''
      ? [required('roleRef.name')]
      : pathSegment(name).map((problem) => invalidValue('roleRef.name', name, problem))),
  ];
}

/** Checks the subjects that are granted the role. */
function subjectErrors(
  { subjects = [] }: Binding,
  group: string,
  scope: 'Cluster' | 'Namespaced',
): readonly FieldError[] {
  return subjects.flatMap((subject, i) => {
    const field = `subjects[${i}]`;
    const nameless = subject.name ? [] : [required(`${field}.name`)];
    return [...nameless, ...kindErrors(subject, field, group, scope)];
  });
}

function kindErrors(
  subject: Subject,
  field: string,
  group: string,
  scope: 'Cluster' | 'Namespaced',
): readonly FieldError[] {
  const { kind = '', apiGroup = '' } = subject;
  if (kind === 'ServiceAccount') return accountErrors(subject, field, scope);
  if (kind !== 'User' && kind !== 'Group') return [notSupported(`${field}.kind`, kind, subjectKinds)];
  return apiGroup === group ? [] : [notSupported(`${field}.apiGroup`, apiGroup, [group])];
}

function accountErrors(
  { name = '', namespace = '', apiGroup = '' }: Subject,
  field: string,
  scope: 'Cluster' | 'Namespaced',
): readonly FieldError[] {
  const problems = name === '' ? [] : dns1123Subdomain(name);
  // A subject without a namespace is in the namespace of its binding.
  const lacksNamespace = scope === 'Cluster' && namespace === '';
  return [
    ...problems.map((problem) => invalidValue(`${field}.name`, name, problem)),
    ...(apiGroup === '' ? [] : [notSupported(`${field}.apiGroup`, apiGroup, [''])]),
    ...(lacksNamespace ? [required(`${field}.namespace`)] : []),
  ];
}

/** The role of a binding never changes. */
function roleChangeErrors({ roleRef }: Binding, old: Binding): readonly FieldError[] {
  if (equal(roleRef, old.roleRef)) return [];
  const { apiGroup = '', kind = '', name = '' } = roleRef ?? {};
  const printed = new Verbatim(`rbac.RoleRef{APIGroup:${quote(apiGroup)}, Kind:${quote(kind)}, Name:${quote(name)}}`);
  return [invalidValue('roleRef', printed, 'cannot change roleRef')];
}

/** Creates a column with the subjects of one kind. */
const subjectText =
  (kind: string) =>
  ({ subjects = [] }: Binding): string =>
    subjects
      .filter((subject) => subject.kind === kind)
      .map(nameOf)
      .join(', ');

const nameOf = ({ kind, namespace = '', name = '' }: Subject): string =>
  kind === 'ServiceAccount' ? `${namespace}/${name}` : name;

export const defineRoleBindings = ({ rename }: Naming, release: Release = emulate()): KindHandlers =>
  defineRoleBindingHandlers(
    bindingHandlers('Namespaced', ['Role', 'ClusterRole'], rename('rbac.authorization.platform.io'), release),
  );

const subjectsOf = ({ subjects }: JsonObject): readonly JsonObject[] =>
  Array.isArray(subjects) ? subjects.filter(isObject) : [];

const groupOfRoles = (rename: Rename): string => rename('rbac.authorization.platform.io');

/** Returns the group of a subject's kind: known for built-in kinds, else taken from `apiVersion`. */
function groupOf(kind: string, apiVersion: string, rename: Rename): string {
  if (kind === 'ServiceAccount') return '';
  if (kind === 'User' || kind === 'Group') return groupOfRoles(rename);
  return apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
}

/** Turns `apiVersion` into `apiGroup`. The user `*` of v1alpha1 is the group of all authenticated users. */
export const subjectGroups: NamedConversion = {
  name: 'subject-groups',
  toStored: (object, rename) => {
    for (const subject of subjectsOf(object)) {
      const kind = stringAt(subject, 'kind');
      const apiGroup = groupOf(kind, stringAt(subject, 'apiVersion'), rename);
      delete subject.apiVersion;
      if (apiGroup !== '') subject.apiGroup = apiGroup;
      if (kind !== 'User' || subject.name !== '*') continue;
      subject.kind = 'Group';
      subject.name = 'system:authenticated';
    }
  },
  fromStored: (object) => {
    for (const subject of subjectsOf(object)) {
      const kind = stringAt(subject, 'kind');
      const apiGroup = stringAt(subject, 'apiGroup');
      delete subject.apiGroup;
      if (kind === 'ServiceAccount') subject.apiVersion = 'v1';
      else if (apiGroup !== '') subject.apiVersion = `${apiGroup}/v1alpha1`;
    }
  },
};
