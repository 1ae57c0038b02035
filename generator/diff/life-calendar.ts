/** The calendar of versions: when each was introduced, and when it may be removed. */
import type { Stability } from '../../runtime/contract/index.js';
import { compareVersions } from '../../runtime/objects/names/names.js';
import { compareReleases, isReached, releasesBetween } from '../../runtime/objects/release.js';
import { afterReleases, isNewMajor, leastReleases } from '../check/life.js';
import type { Model, ResourceModel, VersionModel } from '../model/model.js';
import { preferredVersion, stageOf } from '../model/stage.js';

/** The release to make now, and the number of releases in a year. */
export interface Pace {
  /** As in `1.27`. */
  readonly release: string;
  /** The date of the release, as in `2024-01-31`. */
  readonly date: string;
  /** From 1 to 52. */
  readonly perYear: number;
}

/** About three releases come in a year. */
export const usualPerYear = 3;

/** Minimum months that a beta version stays after its deprecation, if the releases take less time. */
const leastMonths = 9;

/** Returns the number of releases that a beta version stays: three, or as many as come in nine months. */
export const releasesToStay = ({ perYear }: Pick<Pace, 'perYear'>): number =>
  Math.max(leastReleases, Math.ceil((leastMonths * perYear) / 12));

/** Returns the month of a release, as in `2024-05`; `undefined` for releases of another major version. */
function monthOf(release: string, { release: now, date, perYear }: Pace): string | undefined {
  const between = releasesBetween(now, release);
  if (between === undefined) return undefined;
  const [year = 0, month = 1] = date.split('-').map(Number);
  const months = year * 12 + (month - 1) + Math.round((between * 12) / perYear);
  return `${Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, '0')}`;
}

/** The releases that may remove a version. */
export type Removal =
  /** Not within this major release. */
  | { readonly may: 'never' }
  /** In any release. */
  | { readonly may: 'any' }
  /** From a release on, expected in about that month. */
  | { readonly may: 'from'; readonly release: string; readonly month?: string }
  /** Only after a deprecation. `by` is the last release for it, if that is known. */
  | { readonly may: 'once deprecated'; readonly by?: string; readonly month?: string }
  /** The version is not introduced yet. */
  | { readonly may: 'to come'; readonly since: string }
  /** It is removed already. */
  | { readonly may: 'gone'; readonly since?: string };

/** One version of a resource. */
export interface VersionLife {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly level: Stability['level'];
  readonly introduced?: string;
  readonly deprecated?: string;
  /** The release that removes it, according to its definition. */
  readonly removed?: string;
  /** As in `apps/v1 Deployment`, without the parts that are the same as the version's own. */
  readonly replacement?: string;
  /** Whether objects are stored in it. */
  readonly stored: boolean;
  /** Whether clients that accept any version use it. */
  readonly preferred: boolean;
  readonly removal: Removal;
}

/** Returns all versions of a model, ordered by group, resource and preference. */
export const calendarOf = ({ resources }: Pick<Model, 'resources'>, pace: Pace): readonly VersionLife[] =>
  resources.flatMap((resource) =>
    [...resource.versions]
      .sort((a, b) => compareVersions(a.name, b.name))
      .map((version) => lifeOf(resource, version, pace)),
  );

function lifeOf(resource: ResourceModel, version: VersionModel, pace: Pace): VersionLife {
  const { introduced, deprecated, removed, replacement } = version.stability ?? {};
  const { group, names } = resource;
  return {
    group,
    version: version.name,
    resource: names.plural,
    kind: names.kind,
    level: stageOf(version),
    ...(introduced === undefined ? {} : { introduced }),
    ...(deprecated === undefined ? {} : { deprecated }),
    ...(removed === undefined ? {} : { removed }),
    ...(replacement === undefined
      ? {}
      : { replacement: [replacement.group, replacement.version].filter(Boolean).join('/') }),
    stored: version.storage,
    preferred: preferredVersion(resource) === version.name,
    removal: removalOf(version, pace),
  };
}

function removalOf(version: VersionModel, pace: Pace): Removal {
  const { introduced, deprecated, removed } = version.stability ?? {};
  if (isReached(removed, pace.release)) return { may: 'gone', ...(removed === undefined ? {} : { since: removed }) };
  if (!version.served && !version.storage) return { may: 'gone' };
  if (introduced !== undefined && !isReached(introduced, pace.release)) return { may: 'to come', since: introduced };
  const level = stageOf(version);
  if (level === 'stable') {
    const isEarlier = deprecated !== undefined && isNewMajor(pace.release, deprecated);
    return isEarlier ? { may: 'from', release: `${pace.release.split('.')[0]}.0` } : { may: 'never' };
  }
  if (level === 'alpha') return { may: 'any' };
  if (deprecated !== undefined) return { may: 'from', ...at(afterReleases(deprecated, releasesToStay(pace)), pace) };
  if (introduced === undefined) return { may: 'once deprecated' };
  const { release: by, month } = at(afterReleases(introduced, releasesToStay(pace)), pace);
  return { may: 'once deprecated', by, ...(month === undefined ? {} : { month }) };
}

/** Returns a release, and its month if it is in the future. */
function at(release: string, pace: Pace): { readonly release: string; readonly month?: string } {
  const month = compareReleases(release, pace.release) > 0 ? monthOf(release, pace) : undefined;
  return { release, ...(month === undefined ? {} : { month }) };
}
