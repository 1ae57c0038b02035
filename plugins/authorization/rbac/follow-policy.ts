/** Keeps an index of roles and bindings as they are in the store. */
import type { Follow, Following, JsonObject } from '../../../runtime/contract/index.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import { objectPart } from '../object-part.js';
import { readBinding } from './binding.js';
import { PolicyIndex } from './policy-index.js';

/** An index that changes with the store, and whether it has kept up. */
export interface FollowedPolicy {
  readonly index: PolicyIndex;
  readonly following: Following;
}

/** Follows the store into an index, before whoever makes a change hears that it is done. */
export function followPolicy(follow: Follow, { rename }: Naming): FollowedPolicy {
  let index = new PolicyIndex();
  const group = rename('rbac.authorization.platform.io');
  const roles = {
    put: (namespace: string, name: string, role: JsonObject) => index.setRole(namespace, name, role),
    remove: (namespace: string, name: string) => index.setRole(namespace, name, undefined),
  };
  const bindings = {
    put: (_namespace: string, _name: string, binding: JsonObject) => index.setBinding(readBinding(binding)),
    remove: (namespace: string, name: string) => index.deleteBinding(namespace, name),
  };
  const parts = Object.entries({ clusterroles: roles, roles, clusterrolebindings: bindings, rolebindings: bindings });
  const following = follow('RBAC', {
    parts: parts.map(([plural, handler]) => objectPart(`${group}/${plural}/`, handler)),
    reset: () => {
      index = new PolicyIndex();
    },
  });
  return {
    get index() {
      return index;
    },
    following,
  };
}
