/** Names of the resources of nodes: those of the platform, and extended ones, which have a domain of their own. */
import { memoizeByObject } from '../memoize.js';
import type { Naming } from '../naming.js';
import { qualifiedNameCheck } from './key-names.js';

/** Tests of names, which depend on the names that are served, since these say which domain is the platform's own. */
export interface ResourceDomain {
  /** Whether a resource is one of the platform's own. */
  readonly isNative: (name: string) => boolean;
  readonly isExtended: (name: string) => boolean;
}

/** The tests under these names: one and the same object each time. */
export const resourceDomain: (names: Naming) => ResourceDomain = memoizeByObject(({ wellKnown }: Naming) => {
  const own = wellKnown.metadataNameLabel.slice(0, wellKnown.metadataNameLabel.indexOf('/') + 1);
  const isNative = (name: string): boolean => !name.includes('/') || name.includes(own);
  return {
    isNative,
    // Quotas have them by these names.
    isExtended: (name) =>
      !isNative(name) && !name.startsWith('requests.') && qualifiedNameCheck(`requests.${name}`).length === 0,
  };
});
