/** Keeps an index of roles and bindings as they are in the store. */
import type { JsonObject, Key, Store } from '../../../runtime/contract/index.js';
import { isObject } from '../../../runtime/objects/guards.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import { readBinding } from './binding.js';
import { PolicyIndex } from './policy-index.js';

/** The calls of a store that the index is made with. */
export type PolicySource = Pick<Store, 'list' | 'watch'>;

/** Puts and takes away the objects of one resource. */
interface PolicyHandler {
  readonly plural: string;
  readonly put: (namespace: string, name: string, object: JsonObject) => void;
  readonly remove: (namespace: string, name: string) => void;
}

/**
 * An index that changes with the store, before whoever made the change hears that it is done. Closing the store ends
 * that.
 */
export function followPolicy(store: PolicySource, { rename }: Naming): PolicyIndex {
  const index = new PolicyIndex();
  const group = rename('rbac.authorization.platform.io');
  for (const handler of handlersOf(index)) follow(store, `${group}/${handler.plural}/`, handler);
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

function follow(
  store: PolicySource,
  prefix: string,
  handler: PolicyHandler,
  before: ReadonlySet<Key> = new Set(),
): void {
  const known = new Set<Key>();
  const put = (key: Key, bytes: Uint8Array): void => {
    known.add(key);
    handler.put(...placeOf(prefix, key), read(bytes));
  };
  const remove = (key: Key): void => {
    known.delete(key);
    handler.remove(...placeOf(prefix, key));
  };
  const listed = store.list(prefix);
  if (typeof listed === 'string') throw new Error(`the store has no latest state: ${listed}`);
  for (const { key, bytes } of listed.entries) put(key, bytes);
  for (const key of before) if (!known.has(key)) remove(key);
  store.watch(prefix, listed.revision, {
    event: ({ type, entry: { key, bytes } }) => (type === 'DELETED' ? remove(key) : put(key, bytes)),
    ended: (reason) => {
      // The store has another state as a whole, as after a restore.
      if (reason === 'compacted') follow(store, prefix, handler, known);
    },
  });
}

/** Namespace and name of a key; the namespace of objects of the cluster is empty. */
function placeOf(prefix: string, key: Key): readonly [string, string] {
  const rest = key.slice(prefix.length);
  const slash = rest.indexOf('/');
  return [rest.slice(0, Math.max(0, slash)), rest.slice(slash + 1)];
}

function read(bytes: Uint8Array): JsonObject {
  const object: unknown = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
  return isObject(object) ? object : {};
}
