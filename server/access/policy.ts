/** The roles and bindings of a server, as questions about rights need them. */
import {
  administrators,
  type Binding,
  gatheredRules,
  type PolicyRule,
  type RoleReference,
  RuleTable,
  rulesOf,
  type Subject,
} from '../../plugins/index.js';
import type { JsonObject } from '../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import type { Question } from './question.js';

/** A role as it is stored; an aggregated one holds the rules of its parts. */
export interface StoredRole {
  readonly reference: RoleReference;
  readonly rules: readonly PolicyRule[];
  readonly object: JsonObject;
}

/** A role, and the binding that gives it to its subjects; without rules where there is no such role. */
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

  /** Bindings of the cluster, and of a namespace where one is named; of all namespaces where it is `undefined`. */
  given(namespace: string | undefined): readonly Given[] {
    return this.#bindings
      .filter(({ namespace: place }) => place === '' || namespace === undefined || place === namespace)
      .map((binding) => ({ binding, role: this.#byReference.get(keyOf(binding.role)) }));
  }

  /** The cluster roles that an aggregated role has its rules of. */
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

/** A reference says the same by its kind and by its namespace. */
const keyOf = ({ namespace, name }: RoleReference): string => `${namespace}/${name}`;

/** Those of the cluster first. */
const byPlace = (a: Binding, b: Binding): number => compare(a.namespace, b.namespace) || compare(a.name, b.name);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Whether a rule gives a right. */
export function holds(rule: PolicyRule, question: Question): boolean {
  const table = new RuleTable<true>();
  table.add(rule, true);
  const found = 'path' in question ? table.ofPath(question.verb, question.path) : table.ofResource(question);
  return found === true;
}

/** How far a right goes: for all objects asked about, for some names only, or for none. */
type Reach = { readonly of: 'all' } | { readonly of: 'some'; readonly names: readonly string[] };

/** How far rules give a right; `undefined` where they do not. */
export function reachOf(rules: readonly PolicyRule[], question: Question): Reach | undefined {
  if (rules.some((rule) => holds(rule, question))) return { of: 'all' };
  if ('path' in question || question.name !== '' || !canName(question)) return undefined;
  const names = rules
    .filter(({ resourceNames }) => resourceNames.length > 0)
    .filter((rule) => holds({ ...rule, resourceNames: [] }, question))
    .flatMap(({ resourceNames }) => resourceNames);
  return names.length === 0 ? undefined : { of: 'some', names: [...new Set(names)].sort() };
}

/** Nobody knows the name of an object before it is created. */
const canName = (question: Exclude<Question, { path: string }>): boolean =>
  question.verb !== 'create' || question.subresource !== '';

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
export interface PolicyObject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

export const objectOfBinding = ({ namespace, name }: Binding): PolicyObject =>
  namespace === '' ? { kind: 'ClusterRoleBinding', name } : { kind: 'RoleBinding', name, namespace };

export const placeOfRole = ({ kind, namespace, name }: RoleReference): PolicyObject =>
  namespace === '' ? { kind, name } : { kind, name, namespace };

/** As in `RoleBinding shop/clerks`. */
export const placeText = ({ kind, namespace, name }: PolicyObject): string =>
  `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
