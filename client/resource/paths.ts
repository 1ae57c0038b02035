/** Paths of a resource: its collections, objects and subresources. */
import type { ResourceDescriptor } from '../descriptor.js';

/** Paths of one resource. They throw a TypeError for a missing or invalid name or namespace. */
export interface Paths {
  /** Returns the path of the objects of a namespace, or of all. */
  readonly collection: (namespace: string | undefined) => string;
  /**
   * Returns the path to create objects, and to delete a collection: in one namespace, if the resource is namespaced.
   */
  readonly place: (namespace: string | undefined) => string;
  readonly object: (namespace: string | undefined, name: string | undefined, subresource?: string) => string;
}

/** Returns the paths of a resource. `group` is the name under which its group is served. */
export function pathsOf({ version, plural, scope }: ResourceDescriptor, group: string): Paths {
  const root = group === '' ? ['api', version] : ['apis', group, version];
  const within = (namespace: string | undefined): string[] => {
    if (namespace === undefined || scope === 'Cluster') return [...root, plural];
    if (!isSegment(namespace))
      throw new TypeError(
        `${JSON.stringify(namespace)} is not a namespace of ${plural}; leave in('…') out for all of them`,
      );
    return [...root, 'namespaces', namespace, plural];
  };
  const place = (namespace: string | undefined): string[] => {
    if (scope === 'Namespaced' && !namespace)
      throw new TypeError(`${plural} live in namespaces: say which with in('…'), or in the object's metadata`);
    return within(namespace);
  };
  return {
    collection: (namespace) => join(within(namespace)),
    place: (namespace) => join(place(namespace)),
    object: (namespace, name, subresource) => {
      if (name === undefined || !isSegment(name))
        throw new TypeError(`${JSON.stringify(name ?? '')} cannot be the name of one of ${plural}`);
      return join([...place(namespace), name, ...(subresource === undefined ? [] : [subresource])]);
    },
  };
}

/** Returns whether a text can be one part of a path. Dots would lead to another place. */
const isSegment = (text: string): boolean => text !== '' && text !== '.' && text !== '..';

const join = (parts: readonly string[]): string => `/${parts.map(encodeURIComponent).join('/')}`;
