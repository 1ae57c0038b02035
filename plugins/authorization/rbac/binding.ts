/** Bindings as they are stored: a role, and the subjects that it is given to. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { getOwn, isArray, isObject, objectAt, stringAt } from '../../../runtime/objects/guards.js';
import { quote } from '../../../runtime/objects/printing.js';

/** A role, by where it is. */
export interface RoleReference {
  readonly kind: string;
  readonly name: string;
  /** Empty for cluster roles. */
  readonly namespace: string;
}

/** The subject of a role binding: a user by name, or everyone in a group. */
export interface Subject {
  readonly of: 'users' | 'groups';
  readonly name: string;
  /** As reasons name it. */
  readonly text: string;
}

/** A RoleBinding, or a ClusterRoleBinding where the namespace is empty. */
export interface Binding {
  readonly namespace: string;
  readonly name: string;
  readonly role: RoleReference;
  readonly subjects: readonly Subject[];
}

export function readBinding(object: JsonObject): Binding {
  const metadata = objectAt(object, 'metadata');
  const namespace = stringAt(metadata, 'namespace');
  const subjects = getOwn(object, 'subjects');
  return {
    namespace,
    name: stringAt(metadata, 'name'),
    role: readRoleReference(object, namespace),
    subjects: isArray(subjects) ? subjects.filter(isObject).flatMap((subject) => readSubject(subject, namespace)) : [],
  };
}

/** The role of a binding in a namespace; empty for bindings of the cluster. */
export function readRoleReference(binding: JsonObject, namespace: string): RoleReference {
  const role = objectAt(binding, 'roleRef');
  const kind = stringAt(role, 'kind');
  return { kind, name: stringAt(role, 'name'), namespace: kind === 'Role' ? namespace : '' };
}

/** None for kinds that nobody can be. */
function readSubject(subject: JsonObject, bindingNamespace: string): readonly Subject[] {
  const kind = stringAt(subject, 'kind');
  const name = stringAt(subject, 'name');
  const text = (whole: string): string => `${kind} ${quote(whole)}`;
  if (kind === 'User') return [{ of: 'users', name, text: text(name) }];
  if (kind === 'Group') return [{ of: 'groups', name, text: text(name) }];
  const namespace = stringAt(subject, 'namespace') || bindingNamespace;
  if (kind !== 'ServiceAccount' || namespace === '') return [];
  return [{ of: 'users', name: `system:serviceaccount:${namespace}:${name}`, text: text(`${name}/${namespace}`) }];
}

/** The binding and the subject that it is for, as the reason of a decision names them. */
export function describeGrant({ namespace, name, role }: Binding, subject: Subject): string {
  const binding =
    namespace === '' ? `ClusterRoleBinding ${quote(name)}` : `RoleBinding ${quote(`${name}/${namespace}`)}`;
  return `${binding} of ${role.kind} ${quote(role.name)} to ${subject.text}`;
}
