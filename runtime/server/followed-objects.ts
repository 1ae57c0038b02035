/** Keeps all objects of a resource at hand for plugins that would otherwise list them with each request. */
import type { AdmissionHost, ApiObject, FollowedObjects } from '../contract/index.js';

/** Follows a resource for as long as the server runs. The objects are those of the store, not copies. */
export function followAll(follow: AdmissionHost['follow'], group: string, resource: string): FollowedObjects {
  const namespaces = new Map<string, Map<string, ApiObject>>();
  follow(group, resource, {
    changed(object) {
      const { namespace = '', name = '' } = object.metadata;
      const objects = namespaces.get(namespace);
      if (objects) objects.set(name, object);
      else namespaces.set(namespace, new Map([[name, object]]));
    },
    removed(namespace, name) {
      const objects = namespaces.get(namespace);
      objects?.delete(name);
      if (objects?.size === 0) namespaces.delete(namespace);
    },
    reset: () => namespaces.clear(),
  });
  return {
    get: (namespace, name) => namespaces.get(namespace)?.get(name),
    list: (namespace) => (namespace === undefined ? allOf(namespaces) : (namespaces.get(namespace)?.values() ?? [])),
  };
}

function* allOf(namespaces: ReadonlyMap<string, ReadonlyMap<string, ApiObject>>): Iterable<ApiObject> {
  for (const objects of namespaces.values()) yield* objects.values();
}
