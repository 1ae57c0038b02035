/** Decides which versions of resources are served by default. */
import type { ResourceModule, Stability } from '../contract/index.js';
import { compareReleases, isReached } from '../objects/release.js';

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
