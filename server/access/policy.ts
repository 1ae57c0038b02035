/** Reads the roles and bindings of a server, to answer questions about rights. */
import { administrators } from '../../plugins/authorization/modes.js';
import type { Binding, RoleReference, Subject } from '../../plugins/authorization/rbac/binding.js';
import { gatheredRules } from '../../plugins/authorization/rbac/policy-index.js';
import { type PolicyRule, RuleTable, rulesOf } from '../../plugins/authorization/rbac/rule-table.js';
import type { JsonObject } from '../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import type { Question } from './question.js';

/** A stored role. An aggregated one holds the rules of its parts. */
export interface StoredRole {
  readonly reference: RoleReference;
  readonly rules: readonly PolicyRule[];
  readonly object: JsonObject;
}

/** A role, and the binding that grants it. It has no rules if the role does not exist. */
export interface Given {
  readonly binding: Binding;
  readonly role: StoredRole | undefined;
}

export class AccessPolicy {
  readonly roles: readonly StoredRole[];
  readonly #bindings: readonly Binding[];
  readonly #byReference: ReadonlyMap<string, StoredRole>;

  constructor(roles: readonly JsonObject[], bindings: readonly Binding[]) {
    this.roles = roles.map(toRole);
    this.#bindings = [...bindings].sort(byPlace);
    this.#byReference = new Map(this.roles.map((role) => [keyOf(role.reference), role]));
  }

  /** Returns the bindings of the cluster and of a namespace, or of all namespaces if it is `undefined`. */
  given(namespace: string | undefined): readonly Given[] {
    return this.#bindings
      .filter(({ namespace: place }) => place === '' || namespace === undefined || place === namespace)
      .map((binding) => ({ binding, role: this.#byReference.get(keyOf(binding.role)) }));
  }

  /** Returns the cluster roles that an aggregated role gets its rules from. */
  partsOf({ reference, object }: StoredRole): readonly StoredRole[] {
    if (reference.namespace !== '') return [];
    return this.roles.filter(
      (other) =>
        other.reference.namespace === '' &&
        other.reference.name !== reference.name &&
        (gatheredRules(object, [other.object]) ?? []).length > 0,
    );
  }
}

function toRole(object: JsonObject): StoredRole {
  const metadata = objectAt(object, 'metadata');
  const namespace = stringAt(metadata, 'namespace');
  const reference = { kind: namespace === '' ? 'ClusterRole' : 'Role', name: stringAt(metadata, 'name'), namespace };
  return { reference, rules: rulesOf(object), object };
}

/** Returns the same key for two references to the same role. */
const keyOf = ({ namespace, name }: RoleReference): string => `${namespace}/${name}`;

/** Sorts bindings of the cluster first. */
const byPlace = (a: Binding, b: Binding): number => compare(a.namespace, b.namespace) || compare(a.name, b.name);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Returns whether a rule grants a right. */
export function holds(rule: PolicyRule, question: Question): boolean {
  const table = new RuleTable<true>();
  table.add(rule, true);
  const found = 'path' in question ? table.ofPath(question.verb, question.path) : table.ofResource(question);
  return found === true;
}

/** How far a right goes: to all objects in question, to some names only, or to none. */
type Reach = { readonly of: 'all' } | { readonly of: 'some'; readonly names: readonly string[] };

/** Returns how far rules grant a right, or `undefined` if they do not. */
export function reachOf(rules: readonly PolicyRule[], question: Question): Reach | undefined {
  if (rules.some((rule) => holds(rule, question))) return { of: 'all' };
  if ('path' in question || question.name !== '' || !canName(question)) return undefined;
  const names = rules
    .filter(({ resourceNames }) => resourceNames.length > 0)
    .filter((rule) => holds({ ...rule, resourceNames: [] }, question))
    .flatMap(({ resourceNames }) => resourceNames);
  return names.length === 0 ? undefined : { of: 'some', names: [...new Set(names)].sort() };
}

/** Returns whether rules with names can match: a create is checked before the name is known. */
const canName = (question: Exclude<Question, { path: string }>): boolean =>
  question.verb !== 'create' || question.subresource !== '';

/** A subject, as in bindings. */
export interface NamedSubject {
  readonly kind: 'Group' | 'ServiceAccount' | 'User';
  readonly name: string;
  /** Only for service accounts. */
  readonly namespace?: string;
}

const accountPrefix = 'system:serviceaccount:';

/** Returns a subject by name; a service account becomes a user. */
export function toNamed({ of, name }: Pick<Subject, 'of' | 'name'>): NamedSubject {
  if (of === 'groups') return { kind: 'Group', name };
  const [namespace, account, ...more] = name.startsWith(accountPrefix)
    ? name.slice(accountPrefix.length).split(':')
    : [];
  if (!namespace || !account || more.length > 0) return { kind: 'User', name };
  return { kind: 'ServiceAccount', name: account, namespace };
}

/** The group for administrators: its members may do everything without a role. */
export const masters: NamedSubject = { kind: 'Group', name: administrators };

/** Prints a subject as in `ServiceAccount shop/builder`. */
export const subjectText = ({ kind, name, namespace }: NamedSubject): string =>
  `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;

/** A role or a binding, as JSON answers name it. */
export interface PolicyObject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

export const objectOfBinding = ({ namespace, name }: Binding): PolicyObject =>
  namespace === '' ? { kind: 'ClusterRoleBinding', name } : { kind: 'RoleBinding', name, namespace };

export const placeOfRole = ({ kind, namespace, name }: RoleReference): PolicyObject =>
  namespace === '' ? { kind, name } : { kind, name, namespace };

/** Prints a role or binding as in `RoleBinding shop/clerks`. */
export const placeText = ({ kind, namespace, name }: PolicyObject): string =>
  `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
