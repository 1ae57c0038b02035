/** Paths of a resource: its collections, objects and subresources. */
import type { ResourceDescriptor } from '../descriptor.js';

/** Paths of one resource. Throw a TypeError where a name or namespace that a path needs is missing. */
export interface Paths {
  /** The objects of a namespace, or of all. */
  readonly collection: (namespace: string | undefined) => string;
  /** Where objects are made, and deleted as a collection: in one namespace, if the resource is namespaced. */
  readonly place: (namespace: string | undefined) => string;
  readonly object: (namespace: string | undefined, name: string | undefined, subresource?: string) => string;
}

/** The paths of a resource; `group` is the name that its group is served under. */
export function pathsOf({ version, plural, scope }: ResourceDescriptor, group: string): Paths {
  const root = group === '' ? ['api', version] : ['apis', group, version];
  const within = (namespace: string | undefined): string[] =>
    namespace === undefined || scope === 'Cluster' ? [...root, plural] : [...root, 'namespaces', namespace, plural];
  const place = (namespace: string | undefined): string[] => {
    if (scope === 'Namespaced' && !namespace)
      throw new TypeError(`${plural} live in namespaces: say which with in('…'), or in the object's metadata`);
    return within(namespace);
  };
  return {
    collection: (namespace) => join(within(namespace)),
    place: (namespace) => join(place(namespace)),
    object: (namespace, name, subresource) => {
      if (!name || name === '.' || name === '..')
        throw new TypeError(`${JSON.stringify(name ?? '')} is no name to reach one of ${plural} by`);
      return join([...place(namespace), name, ...(subresource === undefined ? [] : [subresource])]);
    },
  };
}

const join = (parts: readonly string[]): string => `/${parts.map(encodeURIComponent).join('/')}`;
