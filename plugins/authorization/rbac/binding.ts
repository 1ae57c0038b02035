/** Role bindings: reading them, and the compiled rules of each subject. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { getOwn, isArray, isObject, objectAt, stringAt } from '../../../runtime/objects/guards.js';
import { quote } from '../../../runtime/objects/printing.js';
import { type PolicyRule, RuleTable } from './rule-table.js';

/** The place of a role. */
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
  /** How messages name the subject. */
  readonly text: string;
}

/** A RoleBinding, or a ClusterRoleBinding if the namespace is empty. */
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

/** Reads the role of a binding. The namespace of a cluster binding is empty. */
export function readRoleReference(binding: JsonObject, namespace: string): RoleReference {
  const role = objectAt(binding, 'roleRef');
  const kind = stringAt(role, 'kind');
  return { kind, name: stringAt(role, 'name'), namespace: kind === 'Role' ? namespace : '' };
}

/** Reads a subject. Unknown kinds yield nothing, because nobody can be one. */
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

/** Returns the binding and the subject as the reason of a decision names them. */
export function describeGrant({ namespace, name, role }: Binding, subject: Subject): string {
  const binding =
    namespace === '' ? `ClusterRoleBinding ${quote(name)}` : `RoleBinding ${quote(`${name}/${namespace}`)}`;
  return `${binding} of ${role.kind} ${quote(role.name)} to ${subject.text}`;
}

export interface Grant {
  readonly binding: Binding;
  readonly subject: Subject;
}

/** Returns the rules of a role, or `undefined` if it does not exist. */
type RulesOfRole = (binding: Binding) => readonly PolicyRule[] | undefined;

/** Rules filed for decisions, and the bindings to roles that do not exist. */
export interface Compiled {
  readonly table: RuleTable<Grant>;
  readonly dangling: readonly Binding[];
}

export class Holder {
  readonly #grants = new Map<Binding, Grant>();
  #compiled: Compiled | undefined;

  get isEmpty(): boolean {
    return this.#grants.size === 0;
  }

  give(binding: Binding, subject: Subject): void {
    // A binding that names a subject twice gives it nothing more.
    if (!this.#grants.has(binding)) this.#grants.set(binding, { binding, subject });
    this.outdate();
  }

  take(binding: Binding): void {
    this.#grants.delete(binding);
    this.outdate();
  }

  /** Updates the rules after a role of these bindings has changed. */
  outdate(): void {
    this.#compiled = undefined;
  }

  /** Returns the filed rules. They are compiled on first use after a change. */
  compiled(rulesOfRole: RulesOfRole): Compiled {
    this.#compiled ??= compile(this.bindings(), this.#grants, rulesOfRole);
    return this.#compiled;
  }

  /** Returns the bindings sorted by name. The first one that grants a request is named as the reason. */
  bindings(): readonly Binding[] {
    return [...this.#grants.keys()].sort(byName);
  }
}

export const byName = (a: Binding, b: Binding): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

function compile(
  bindings: readonly Binding[],
  grants: ReadonlyMap<Binding, Grant>,
  rulesOfRole: RulesOfRole,
): Compiled {
  const table = new RuleTable<Grant>();
  const dangling: Binding[] = [];
  for (const binding of bindings) {
    const rules = rulesOfRole(binding);
    const grant = grants.get(binding);
    if (!rules) dangling.push(binding);
    else if (grant) for (const rule of rules) table.add(rule, grant);
  }
  return { table, dangling };
}

/** Returns the grant as the reason of a decision names it. */
export const grantText = ({ binding, subject }: Grant): string => describeGrant(binding, subject);
