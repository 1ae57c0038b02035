/** The stage of a version, alpha, beta or stable, and its consequences for clients. */
import type { Stability } from '../../runtime/contract/index.js';
import { compareVersions } from '../../runtime/objects/names/names.js';
import { compareReleases } from '../../runtime/objects/release.js';
import type { ResourceModel, VersionModel } from './model.js';

/** The stages of a version, from the least stable to the most stable. */
const stages: readonly Stability['level'][] = ['alpha', 'beta', 'stable'];

/** Returns whether a stage is less stable than another. */
export const isLessStable = (one: Stability['level'], other: Stability['level']): boolean =>
  stages.indexOf(one) < stages.indexOf(other);

/** Returns the stage in the definition, or in the name of the version. Names of any other form are stable. */
export function stageOf({ name, stability }: Pick<VersionModel, 'name' | 'stability'>): Stability['level'] {
  if (stability !== undefined) return stability.level;
  const named = /^v\d+(alpha|beta)\d+$/.exec(name)?.[1];
  return named === 'alpha' || named === 'beta' ? named : 'stable';
}

/** Beta versions of resources that had one before this release are served by default; later ones only on request. */
const firstReleaseOfWaitingBetas = '1.22';

/** Returns the version for clients that accept any: by name, the first version that is served by default. */
export function preferredVersion({ versions }: ResourceModel): string | undefined {
  const early = versions.some(
    ({ stability }) =>
      stability?.level === 'beta' &&
      stability.introduced !== undefined &&
      compareReleases(stability.introduced, firstReleaseOfWaitingBetas) < 0,
  );
  const isShown = ({ served, stability }: VersionModel): boolean =>
    served && (stability === undefined || stability.level === 'stable' || (stability.level === 'beta' && early));
  return versions
    .filter(isShown)
    .map(({ name }) => name)
    .sort(compareVersions)[0];
}
