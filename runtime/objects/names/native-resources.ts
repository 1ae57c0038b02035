/** Tells the platform's own resources, such as memory, from those that others add, such as devices. */
import type { Naming } from '../naming.js';
import { qualifiedNameCheck } from './key-names.js';

/** The test under these names: a resource is the platform's own without a domain, or under the platform's. */
export function nativeResources({ wellKnown: { metadataNameLabel } }: Naming): (name: string) => boolean {
  const own = metadataNameLabel.slice(0, metadataNameLabel.indexOf('/') + 1);
  return (name) => !name.includes('/') || name.includes(own);
}

/** The test for resources that others add to nodes, such as devices; quotas have them by the names `requests.<name>`. */
export function extendedResources(names: Naming): (name: string) => boolean {
  const isNative = nativeResources(names);
  return (name) =>
    !isNative(name) && !name.startsWith('requests.') && qualifiedNameCheck(`requests.${name}`).length === 0;
}
