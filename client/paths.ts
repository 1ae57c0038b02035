/** Paths of resources. */
import type { ResourceDescriptor } from './descriptor.js';

/** What a path names besides the resource. */
export interface Place {
  readonly namespace?: string | undefined;
  readonly name?: string;
  readonly subresource?: string;
}

/** The path of a collection, object or subresource. `rename` gives the name a group is served under. */
export function pathOf(resource: ResourceDescriptor, place: Place, rename: (group: string) => string): string {
  const { group, version, plural } = resource;
  const parts = group === '' ? ['api', version] : ['apis', rename(group), version];
  if (place.namespace !== undefined && resource.scope === 'Namespaced') parts.push('namespaces', place.namespace);
  parts.push(plural);
  if (place.name !== undefined) parts.push(place.name);
  if (place.subresource !== undefined) parts.push(place.subresource);
  return `/${parts.map(encodeURIComponent).join('/')}`;
}
