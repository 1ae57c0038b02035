/** How far a version has come, alpha, beta or stable, and what follows for clients. */
import type { Stability } from '../../runtime/contract/index.js';
import { compareVersions } from '../../runtime/objects/gvk.js';
import { compareReleases } from '../../runtime/objects/release.js';
import type { ResourceModel, VersionModel } from './model.js';

/** The stages of a version, by what they promise: the least first. */
const stages: readonly Stability['level'][] = ['alpha', 'beta', 'stable'];

/** Whether a stage promises less than another. */
export const isLessStable = (one: Stability['level'], other: Stability['level']): boolean =>
  stages.indexOf(one) < stages.indexOf(other);

/** The stage that a definition says, or that the name of the version has; names of any other form promise the most. */
export function stageOf({ name, stability }: Pick<VersionModel, 'name' | 'stability'>): Stability['level'] {
  if (stability !== undefined) return stability.level;
  const named = /^v\d+(alpha|beta)\d+$/.exec(name)?.[1];
  return named === 'alpha' || named === 'beta' ? named : 'stable';
}

/** Betas of resources that had one before this release are served by default; later ones wait until they are asked for. */
const firstReleaseOfWaitingBetas = '1.22';

/** The version that clients take who take any: by name the first of those that are served by default. */
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
