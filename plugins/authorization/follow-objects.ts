/** Tells of the objects of a resource as they are in the store, and as they change. */
import type { JsonObject, Key, Store } from '../../runtime/contract/index.js';
import { isObject } from '../../runtime/objects/guards.js';

/** The calls of a store that objects are followed with. */
export type FollowedStore = Pick<Store, 'list' | 'watch'>;

/** Puts and takes away the objects of one resource; the namespace of objects of the cluster is empty. */
export interface ObjectHandler {
  readonly put: (namespace: string, name: string, object: JsonObject) => void;
  readonly remove: (namespace: string, name: string) => void;
}

/**
 * Puts all objects there are, and then each change before whoever made it hears that it is done. The prefix is that of the
 * resource's keys. Closing the store ends that.
 */
export function followObjects(
  store: FollowedStore,
  prefix: string,
  handler: ObjectHandler,
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
      if (reason === 'compacted') followObjects(store, prefix, handler, known);
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
