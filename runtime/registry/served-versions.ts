/** The versions of resources: which are served by default, and which are stored as one resource. */
import type { ResourceModule, Stability } from '../contract/index.js';
import { formatGroupVersion } from '../objects/names/names.js';
import { compareReleases, isReached } from '../objects/release.js';
import { storedResourceOf } from './module-naming.js';

/** The server serves betas of resources that had a beta before this release. Later betas must be turned on. */
const firstReleaseOfWaitingBetas = '1.22';

/**
 * Returns whether a version ends before a release of the server, or before its project's release. Then nothing turns it
 * on again.
 */
export const isRemoved = ({ stability, projectRelease }: ResourceModule, release: string): boolean =>
  isReached(stability?.removed, projectRelease ?? release);

/**
 * Returns a check whether a version is served by default. Alphas are not. Betas are served if the resource had a beta
 * before 1.22, because clients rely on them. Stable versions and versions without a stability are served.
 */
export function servedByDefault(modules: readonly ResourceModule[]): (module: ResourceModule) => boolean {
  const firstBetas = firstBetaReleases(modules);
  return (module) => {
    const { stability } = module;
    if (stability === undefined) return true;
    if (stability.level !== 'beta') return stability.level === 'stable';
    const first = firstBetas.get(resourceOf(module));
    return first !== undefined && compareReleases(first, firstReleaseOfWaitingBetas) < 0;
  };
}

/** Returns the release with the first beta of each resource. */
function firstBetaReleases(modules: readonly ResourceModule[]): ReadonlyMap<string, string> {
  const first = new Map<string, string>();
  for (const module of modules) {
    const introduced = introducedAsBeta(module.stability);
    if (introduced === undefined) continue;
    const known = first.get(resourceOf(module));
    if (known === undefined || compareReleases(introduced, known) < 0) first.set(resourceOf(module), introduced);
  }
  return first;
}

const introducedAsBeta = (stability: Stability | undefined): string | undefined =>
  stability?.level === 'beta' ? stability.introduced : undefined;

const resourceOf = ({ group, names }: ResourceModule): string => `${group}/${names.plural}`;

/** The modules that are stored as one resource. */
export interface Family {
  readonly byVersion: Map<string, ResourceModule>;
  /** The version that objects are stored in. */
  storage: ResourceModule | undefined;
}

/** Returns the modules that are stored as one resource, by the group and plural of that resource. */
export function familiesOf(modules: readonly ResourceModule[]): ReadonlyMap<string, Family> {
  const families = new Map<string, Family>();
  for (const module of modules) {
    const name = storedResourceOf(module);
    const family = families.get(name) ?? { byVersion: new Map(), storage: undefined };
    families.set(name, family);
    family.byVersion.set(formatGroupVersion(module.group, module.version), module);
    if (module.storage) family.storage ??= module;
  }
  return families;
}

/** Throws if two extensions have the same name, because one of them would never be used. */
export function byUniqueName<T>(
  what: string,
  extensions: readonly T[],
  nameOf: (extension: T) => string,
): Map<string, T> {
  const named = new Map<string, T>();
  for (const extension of extensions) {
    const name = nameOf(extension);
    if (named.has(name)) throw new Error(`there are two ${what} ${name}`);
    named.set(name, extension);
  }
  return named;
}
