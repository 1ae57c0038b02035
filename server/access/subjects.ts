/** Users, groups and service accounts, as answers name them. */
import { administrators, type Binding, type RoleReference, type Subject } from '../../plugins/index.js';

/** A subject as bindings name it. */
export interface NamedSubject {
  readonly kind: 'Group' | 'ServiceAccount' | 'User';
  readonly name: string;
  /** Of service accounts. */
  readonly namespace?: string;
}

const accountPrefix = 'system:serviceaccount:';

/** A service account is a user by its name. */
export function toNamed({ of, name }: Pick<Subject, 'of' | 'name'>): NamedSubject {
  if (of === 'groups') return { kind: 'Group', name };
  const [namespace, account, ...more] = name.startsWith(accountPrefix)
    ? name.slice(accountPrefix.length).split(':')
    : [];
  if (!namespace || !account || more.length > 0) return { kind: 'User', name };
  return { kind: 'ServiceAccount', name: account, namespace };
}

/** The group whose members are asked about before any role. */
export const masters: NamedSubject = { kind: 'Group', name: administrators };

/** As in `ServiceAccount shop/builder`. */
export const subjectText = ({ kind, name, namespace }: NamedSubject): string =>
  `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;

/** A role or a binding as answers in JSON name it. */
export interface Place {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

export const placeOfBinding = ({ namespace, name }: Binding): Place =>
  namespace === '' ? { kind: 'ClusterRoleBinding', name } : { kind: 'RoleBinding', name, namespace };

export const placeOfRole = ({ kind, namespace, name }: RoleReference): Place =>
  namespace === '' ? { kind, name } : { kind, name, namespace };

/** As in `RoleBinding shop/clerks`. */
export const placeText = ({ kind, namespace, name }: Place): string =>
  `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
