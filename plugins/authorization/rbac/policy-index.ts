/**
 * All roles and bindings, filed by the subjects that hold them, so that a decision asks for no more than its user's.
 */
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

/** Subjects of the bindings of one namespace, or of the cluster. */
type Scope = Readonly<Record<Subject['of'], Map<string, Holder>>>;

/** A name within a namespace; neither can have a slash. */
const keyOf = (namespace: string, name: string): string => `${namespace}/${name}`;

export class PolicyIndex {
  readonly #roles = new Map<string, readonly PolicyRule[]>();
  readonly #aggregation = new Aggregation();
  readonly #bindings = new Map<string, Binding>();
  readonly #byRole = new Map<string, Set<Binding>>();
  /** By namespace; the cluster's is empty. */
  readonly #scopes = new Map<string, Scope>();

  /** Puts a role, or takes it away where there is none any more; the namespace of cluster roles is empty. */
  setRole(namespace: string, name: string, role: JsonObject | undefined): void {
    const key = keyOf(namespace, name);
    if (role) this.#roles.set(key, rulesOf(role));
    else this.#roles.delete(key);
    if (namespace === '') this.#aggregation.set(name, role);
    for (const binding of this.#byRole.get(key) ?? []) {
      for (const subject of binding.subjects) this.#holder(binding.namespace, subject)?.outdate();
    }
  }

  /** Puts a binding in place of the one with its name. */
  setBinding(binding: Binding): void {
    this.deleteBinding(binding.namespace, binding.name);
    this.#bindings.set(keyOf(binding.namespace, binding.name), binding);
    const role = keyOf(binding.role.namespace, binding.role.name);
    this.#byRole.set(role, (this.#byRole.get(role) ?? new Set()).add(binding));
    for (const subject of binding.subjects) this.#makeHolder(binding.namespace, subject).give(binding, subject);
  }

  /** Takes a binding away, if it is there. */
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

  /** The rules of a role, if there is such a role. */
  rulesOfRole({ namespace, name }: RoleReference): readonly PolicyRule[] | undefined {
    return this.#roles.get(keyOf(namespace, name));
  }

  /** The rules of a role with those that it will hold once its parts are gathered, if there is such a role. */
  rulesToCome(role: RoleReference): readonly PolicyRule[] | undefined {
    const own = this.rulesOfRole(role);
    if (own === undefined || role.namespace !== '') return own;
    return [...this.#aggregation.partsOf(role.name)].flatMap((name) => this.rulesOfRole({ ...role, name }) ?? []);
  }

  /** Finds the grant that allows a request: first in the cluster, then in the namespace that it is about. */
  find(attributes: AccessAttributes): Grant | undefined {
    const found = this.#findIn(this.#scopes.get(''), attributes);
    if (found || 'path' in attributes || !attributes.namespace) return found;
    return this.#findIn(this.#scopes.get(attributes.namespace), attributes);
  }

  /** The bindings that a user has part in, those of the cluster first. */
  bindingsOf(user: UserInfo, namespace: string): readonly Binding[] {
    return this.#scopesOf(namespace).flatMap((scope) =>
      [...new Set(holdersOf(scope, user).flatMap((holder) => holder.bindings()))].sort(byName),
    );
  }

  /** Those of a user's bindings whose roles there are not. */
  danglingOf(user: UserInfo, namespace: string): readonly Binding[] {
    return this.#scopesOf(namespace).flatMap((scope) =>
      [...new Set(holdersOf(scope, user).flatMap((holder) => this.#compiled(holder).dangling))].sort(byName),
    );
  }

  #scopesOf(namespace: string): readonly Scope[] {
    const places = namespace === '' ? [''] : ['', namespace];
    return places.flatMap((place) => this.#scopes.get(place) ?? []);
  }

  /** Runs for every request, and allocates nothing unless rules have to be compiled again. */
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
 * Returns the rules that an aggregated role is to hold: those of all other cluster roles that one of its selectors
 * selects, by selector and name, each once. `undefined` for roles that are not aggregated.
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
    // Rules that were gathered before add nothing.
    const rest: typeof left = [];
    for (const one of left) {
      if (!matches(one.labels)) rest.push(one);
      else for (const rule of rulesIn(one.part)) addOnce(rules, rule);
    }
    left = rest;
  }
  return [...rules.values()];
}

/** Adds a rule that is not there yet. Rules have no fields but these. */
function addOnce(rules: Map<string, JsonObject>, rule: JsonObject): void {
  const { apiGroups, resources, resourceNames, nonResourceURLs, verbs } = rule;
  const key = JSON.stringify([apiGroups, resources, resourceNames, nonResourceURLs, verbs]);
  if (!rules.has(key)) rules.set(key, rule);
}

/** Follows which cluster roles are gathered by which, through any number of steps. */
export class Aggregation {
  readonly #roles = new Map<string, { readonly labels: Labels; readonly selectors: readonly LabelMatcher[] }>();

  set(name: string, role: JsonObject | undefined): void {
    if (role === undefined) this.#roles.delete(name);
    else this.#roles.set(name, { labels: labelsOf(role), selectors: selectorsOf(role) });
  }

  /** The role itself, and all whose rules it will hold once they have been gathered. */
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

/** A selector that cannot be read selects nothing. */
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
