/** All roles and bindings, indexed by subject, so that a decision looks only at the bindings of its user. */
import type { AccessAttributes, JsonObject, UserInfo } from '../../../runtime/contract/index.js';
import { getOwn, isArray, isObject, isStringMap, objectAt, stringAt } from '../../../runtime/objects/guards.js';
import { byCodePoint } from '../../../runtime/objects/printing.js';
import { type LabelMatcher, type Labels, labelSelectorOf } from '../../../runtime/objects/selectors/labels.js';
import {
  type Binding,
  byName,
  type Compiled,
  type Grant,
  Holder,
  type RoleReference,
  type Subject,
} from './binding.js';
import { type PolicyRule, rulesOf } from './rule-table.js';

/** The subjects that are bound in one namespace, or in the cluster. */
type Scope = Readonly<Record<Subject['of'], Map<string, Holder>>>;

/** Joins namespace and name; neither contains a slash. */
const keyOf = (namespace: string, name: string): string => `${namespace}/${name}`;

export class PolicyIndex {
  readonly #roles = new Map<string, readonly PolicyRule[]>();
  readonly #aggregation = new Aggregation();
  readonly #bindings = new Map<string, Binding>();
  readonly #byRole = new Map<string, Set<Binding>>();
  /** By namespace; the cluster's key is empty. */
  readonly #scopes = new Map<string, Scope>();

  /** Adds or replaces a role; `undefined` removes it. The namespace of cluster roles is empty. */
  setRole(namespace: string, name: string, role: JsonObject | undefined): void {
    const key = keyOf(namespace, name);
    if (role) this.#roles.set(key, rulesOf(role));
    else this.#roles.delete(key);
    if (namespace === '') this.#aggregation.set(name, role);
    for (const binding of this.#byRole.get(key) ?? []) {
      for (const subject of binding.subjects) this.#holder(binding.namespace, subject)?.outdate();
    }
  }

  /** Adds a binding, or replaces the one with its name. */
  setBinding(binding: Binding): void {
    this.deleteBinding(binding.namespace, binding.name);
    this.#bindings.set(keyOf(binding.namespace, binding.name), binding);
    const role = keyOf(binding.role.namespace, binding.role.name);
    this.#byRole.set(role, (this.#byRole.get(role) ?? new Set()).add(binding));
    for (const subject of binding.subjects) this.#makeHolder(binding.namespace, subject).give(binding, subject);
  }

  /** Removes a binding if it exists. */
  deleteBinding(namespace: string, name: string): void {
    const key = keyOf(namespace, name);
    const binding = this.#bindings.get(key);
    if (!binding) return;
    this.#bindings.delete(key);
    const role = keyOf(binding.role.namespace, binding.role.name);
    const others = this.#byRole.get(role);
    others?.delete(binding);
    if (others?.size === 0) this.#byRole.delete(role);
    for (const subject of binding.subjects) this.#takeFrom(subject, binding);
  }

  /** Returns the rules of a role, or `undefined` if it does not exist. */
  rulesOfRole({ namespace, name }: RoleReference): readonly PolicyRule[] | undefined {
    return this.#roles.get(keyOf(namespace, name));
  }

  /**
   * Returns the rules of a role, including the rules that aggregation will still add; `undefined` if it does not exist.
   */
  rulesToCome(role: RoleReference): readonly PolicyRule[] | undefined {
    const own = this.rulesOfRole(role);
    if (own === undefined || role.namespace !== '') return own;
    return [...this.#aggregation.partsOf(role.name)].flatMap((name) => this.rulesOfRole({ ...role, name }) ?? []);
  }

  /** Finds the grant that allows a request: first in the cluster, then in the request's namespace. */
  find(attributes: AccessAttributes): Grant | undefined {
    const found = this.#findIn(this.#scopes.get(''), attributes);
    if (found || 'path' in attributes || !attributes.namespace) return found;
    return this.#findIn(this.#scopes.get(attributes.namespace), attributes);
  }

  /** Returns the bindings of a user, cluster bindings first. */
  bindingsOf(user: UserInfo, namespace: string): readonly Binding[] {
    return this.#scopesOf(namespace).flatMap((scope) =>
      [...new Set(holdersOf(scope, user).flatMap((holder) => holder.bindings()))].sort(byName),
    );
  }

  /** Returns the bindings of a user to roles that do not exist. */
  danglingOf(user: UserInfo, namespace: string): readonly Binding[] {
    return this.#scopesOf(namespace).flatMap((scope) =>
      [...new Set(holdersOf(scope, user).flatMap((holder) => this.#compiled(holder).dangling))].sort(byName),
    );
  }

  #scopesOf(namespace: string): readonly Scope[] {
    const places = namespace === '' ? [''] : ['', namespace];
    return places.flatMap((place) => this.#scopes.get(place) ?? []);
  }

  /** Runs for every request; allocates nothing unless rules must be compiled again. */
  #findIn(scope: Scope | undefined, attributes: AccessAttributes): Grant | undefined {
    if (!scope) return undefined;
    const { name, groups } = attributes.user;
    const own = scope.users.get(name);
    const found = own && this.#findAt(own, attributes);
    if (found || scope.groups.size === 0) return found;
    for (const group of groups) {
      const shared = scope.groups.get(group);
      const grant = shared && this.#findAt(shared, attributes);
      if (grant) return grant;
    }
    return undefined;
  }

  #findAt(holder: Holder, attributes: AccessAttributes): Grant | undefined {
    const { table } = this.#compiled(holder);
    return 'path' in attributes ? table.ofPath(attributes.verb, attributes.path) : table.ofResource(attributes);
  }

  readonly #compiled = (holder: Holder): Compiled => holder.compiled(this.#rulesOfBinding);

  readonly #rulesOfBinding = ({ role }: Binding): readonly PolicyRule[] | undefined => this.rulesOfRole(role);

  #holder(namespace: string, { of, name }: Subject): Holder | undefined {
    return this.#scopes.get(namespace)?.[of].get(name);
  }

  #makeHolder(namespace: string, subject: Subject): Holder {
    const scope = this.#scopes.get(namespace) ?? { users: new Map(), groups: new Map() };
    this.#scopes.set(namespace, scope);
    const holder = scope[subject.of].get(subject.name) ?? new Holder();
    scope[subject.of].set(subject.name, holder);
    return holder;
  }

  #takeFrom(subject: Subject, binding: Binding): void {
    const { namespace } = binding;
    const scope = this.#scopes.get(namespace);
    const holder = this.#holder(namespace, subject);
    holder?.take(binding);
    if (!scope || !holder?.isEmpty) return;
    scope[subject.of].delete(subject.name);
    if (scope.users.size === 0 && scope.groups.size === 0) this.#scopes.delete(namespace);
  }
}

function holdersOf({ users, groups }: Scope, user: UserInfo): readonly Holder[] {
  return [users.get(user.name), ...user.groups.map((group) => groups.get(group))].filter((one) => one !== undefined);
}

/**
 * Returns the rules that an aggregated role must hold: the rules of all other cluster roles that one of its selectors
 * selects. Each rule occurs once, ordered by selector and name. `undefined` if the role is not aggregated.
 */
export function gatheredRules(role: object, clusterRoles: readonly object[]): readonly JsonObject[] | undefined {
  const selectors = isObject(role) ? selectorsOf(role) : [];
  if (!isObject(role) || selectors.length === 0) return undefined;
  const others = clusterRoles.filter(isObject).filter((one) => nameOf(one) !== nameOf(role));
  let left = others.map((part) => ({ part, labels: labelsOf(part) }));
  left.sort((a, b) => byCodePoint(nameOf(a.part), nameOf(b.part)));
  const rules = new Map<string, JsonObject>();
  for (const matches of selectors) {
    if (left.length === 0) break;
    // Rules that were already gathered add nothing.
    const rest: typeof left = [];
    for (const one of left) {
      if (!matches(one.labels)) rest.push(one);
      else for (const rule of rulesIn(one.part)) addOnce(rules, rule);
    }
    left = rest;
  }
  return [...rules.values()];
}

/** Adds a rule once. Rules have only these fields. */
function addOnce(rules: Map<string, JsonObject>, rule: JsonObject): void {
  const { apiGroups, resources, resourceNames, nonResourceURLs, verbs } = rule;
  const key = JSON.stringify([apiGroups, resources, resourceNames, nonResourceURLs, verbs]);
  if (!rules.has(key)) rules.set(key, rule);
}

/** Tracks which cluster roles aggregate which, through any number of steps. */
export class Aggregation {
  readonly #roles = new Map<string, { readonly labels: Labels; readonly selectors: readonly LabelMatcher[] }>();

  set(name: string, role: JsonObject | undefined): void {
    if (role === undefined) this.#roles.delete(name);
    else this.#roles.set(name, { labels: labelsOf(role), selectors: selectorsOf(role) });
  }

  /** Returns the role itself, and all roles that will hold its rules once aggregation is done. */
  partsOf(name: string): ReadonlySet<string> {
    const parts = new Set([name]);
    for (const part of parts) {
      for (const matches of this.#roles.get(part)?.selectors ?? []) {
        for (const [other, { labels }] of this.#roles) if (matches(labels)) parts.add(other);
      }
    }
    return parts;
  }
}

/** Reads the selectors. A selector that cannot be read selects nothing. */
function selectorsOf(role: JsonObject): readonly LabelMatcher[] {
  const selectors = objectAt(role, 'aggregationRule')?.clusterRoleSelectors;
  if (!isArray(selectors)) return [];
  return selectors.filter(isObject).map((selector) => {
    const compiled = labelSelectorOf(selector);
    return compiled.ok ? compiled.value.matches : () => false;
  });
}

const nameOf = (role: JsonObject): string => stringAt(objectAt(role, 'metadata'), 'name');

function labelsOf(role: JsonObject): Labels {
  const labels = objectAt(objectAt(role, 'metadata'), 'labels');
  return isStringMap(labels) ? labels : {};
}

function rulesIn(role: JsonObject): readonly JsonObject[] {
  const rules = getOwn(role, 'rules');
  return isArray(rules) ? rules.filter(isObject) : [];
}
