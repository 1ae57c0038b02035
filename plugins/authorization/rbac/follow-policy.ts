/** Keeps an index of roles and bindings as they are in the store. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import { type FollowedStore, followObjects, type ObjectHandler } from '../follow-objects.js';
import { readBinding } from './binding.js';
import { PolicyIndex } from './policy-index.js';

interface PolicyHandler extends ObjectHandler {
  readonly plural: string;
}

/**
 * An index that changes with the store, before whoever made the change hears that it is done. Closing the store ends
 * that.
 */
export function followPolicy(store: FollowedStore, { rename }: Naming): PolicyIndex {
  const index = new PolicyIndex();
  const group = rename('rbac.authorization.platform.io');
  for (const handler of handlersOf(index)) followObjects(store, `${group}/${handler.plural}/`, handler);
  return index;
}

function handlersOf(index: PolicyIndex): readonly PolicyHandler[] {
  const roles = {
    put: (namespace: string, name: string, role: JsonObject) => index.setRole(namespace, name, role),
    remove: (namespace: string, name: string) => index.setRole(namespace, name, undefined),
  };
  const bindings = {
    put: (_namespace: string, _name: string, binding: JsonObject) => index.setBinding(readBinding(binding)),
    remove: (namespace: string, name: string) => index.deleteBinding(namespace, name),
  };
  return [
    { plural: 'clusterroles', ...roles },
    { plural: 'roles', ...roles },
    { plural: 'clusterrolebindings', ...bindings },
    { plural: 'rolebindings', ...bindings },
  ];
}
