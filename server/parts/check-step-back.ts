/** Refuses a step back to an earlier release if it would lose something. Marks the store with the release. */
import type { ApiObject, Store } from '../../runtime/contract/index.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { compareReleases, emulate, type Release } from '../../runtime/objects/release.js';
import {
  findLosses,
  isProjectStepBack,
  isStepBack,
  markWrittenBy,
  type WrittenBy,
  writtenBy,
} from '../../runtime/server/index.js';
import { latestModules } from '../builtin-kinds.js';
import type { Kinds } from '../kinds.js';
import type { StartOptions } from '../options.js';
import { StepBackError } from './errors.js';
import type { Storage } from './storage-options.js';

/** The releases of a server. */
export interface Releases {
  readonly release: Release;
  /** The release of the definitions; absent for the whole definitions. */
  readonly project?: string | undefined;
}

export const releasesOf = ({ emulatedVersion, projectRelease }: StartOptions): Releases => ({
  release: emulate(emulatedVersion),
  project: projectRelease,
});

/**
 * Rejects with a `StepBackError`. Reads objects only if a later release has written into the store, so other starts
 * take no longer.
 */
export async function refuseStepBack(
  { store, place }: Pick<Storage, 'store' | 'place'>,
  kinds: Kinds,
  naming: Naming,
  { release, project }: Releases,
): Promise<void> {
  const written = writtenBy(store) ?? emulate();
  const isApiBack = isStepBack(release, written);
  const isProjectBack = isProjectStepBack({ project }, written);
  if (!(isApiBack || isProjectBack) || store.count('') === 0) return;
  const { modules, conversions, projectModules = [] } = kinds;
  const { count, first } = await findLosses({
    store,
    naming,
    modules,
    latest: [...(isApiBack ? latestModules(kinds) : []), ...(isProjectBack ? projectModules : [])],
    conversions,
    isRemade: (object, { groupResource }) => isRemade(object, groupResource, naming),
  });
  if (count === 0) return;
  const more = count - first.length;
  const earlier = [isApiBack && `release ${release.name}`, isProjectBack && `release ${project} of the project`];
  const cures = [isApiBack && versionOf(written), isProjectBack && projectOf(written)];
  throw new StepBackError(
    [
      `${place}: ${together(earlier)} would lose something of ${count} stored ${count === 1 ? 'object' : 'objects'}:`,
      ...first.map((line) => `  ${line}`),
      ...(more > 0 ? [`  and ${more} more`] : []),
      `Start with ${together(cures)}, and remove what is listed before the step back.`,
    ].join('\n'),
  );
}

/** Returns whether the server itself makes an object again, at its start or for existing services. */
function isRemade({ metadata }: ApiObject, groupResource: string, { rename }: Naming): boolean {
  const { name, labels = {}, annotations = {} } = metadata;
  if (groupResource === `servicecidrs.${rename('networking.platform.io')}`) return name === 'kubernetes';
  return (
    annotations[rename('apf.platform.io/autoupdate-spec')] === 'true' ||
    labels[rename('ipaddress.platform.io/managed-by')] === rename('ipallocator.platform.io')
  );
}

/** Returns the option that starts the release of the stored data. */
const versionOf = ({ name, machinery }: WrittenBy): string =>
  name === machinery ? `--emulated-version ${name}` : 'no --emulated-version';

const projectOf = ({ project }: WrittenBy): string =>
  project === undefined ? 'no --project-release' : `--project-release ${project}`;

const together = (parts: readonly (string | false)[]): string => parts.filter((part) => part !== false).join(' and ');

/**
 * Marks a store with the releases that will write into it. A store without a mark comes from servers without both
 * options. If other servers write into it, too, the mark is the latest of all releases. Resolves to the problem, if
 * there is one.
 */
export async function markRelease(store: Store, { release, project }: Releases): Promise<string | undefined> {
  const known = writtenBy(store);
  if (known === undefined && release === emulate() && project === undefined) return undefined;
  const others = store.basis === undefined ? undefined : (known ?? (store.count('') > 0 ? emulate() : undefined));
  const { name, machinery } = release;
  const own = { name, machinery, project };
  const failure = await markWrittenBy(store, others ? latestOf(others, own) : own);
  return failure && `the store could not be marked with the release: ${failure.message}`;
}

const latestOf = (one: WrittenBy, other: WrittenBy): WrittenBy => ({
  name: compareReleases(one.name, other.name) < 0 ? other.name : one.name,
  machinery: compareReleases(one.machinery, other.machinery) < 0 ? other.machinery : one.machinery,
  project: isProjectStepBack(one, other) ? other.project : one.project,
});
