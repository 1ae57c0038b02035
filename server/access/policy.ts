/** The roles and bindings of a server, as questions about rights need them. */
import { type Binding, gatheredRules, type PolicyRule, type RoleReference, rulesOf } from '../../plugins/index.js';
import type { JsonObject } from '../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';

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
