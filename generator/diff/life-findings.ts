/** Finds changes to versions that a release must not or should not make, with their places. */

import type { Stability } from '../../runtime/contract/index.js';
import { compareReleases, isReached, releasesBetween } from '../../runtime/objects/release.js';
import { afterReleases, isNewMajor } from '../check/life.js';
import type { ResourceModel, VersionModel } from '../model/model.js';
import { preferredVersion, stageOf } from '../model/stage.js';
import type { Difference } from './difference.js';
import type { FindingPlace } from './finding.js';
import { type Pace, releasesToStay } from './life-calendar.js';
import { createPlaces } from './sides/places.js';
import type { Side } from './sides/side.js';

export interface LifeFinding extends Omit<Move, 'keyword'> {
  /** `<plural>.<group>`. */
  readonly resource: string;
  readonly place: FindingPlace;
}

/** Finds the moves within one side, and the moves since an older side if one is given. */
export function findingsOf(now: Side, old: Side | undefined, pace: Pace): readonly LifeFinding[] {
  const overdue = now.definitions.model.resources.flatMap((resource) =>
    placed(now, resource, [...overdueIn(resource, pace)]),
  );
  if (old === undefined) return overdue;
  const known = new Map(now.definitions.model.resources.map((resource) => [nameOf(resource), resource]));
  const moves = old.definitions.model.resources.flatMap((before) => {
    const resource = known.get(nameOf(before));
    // A single file says nothing about resources that it does not contain.
    if (resource === undefined && now.extent === 'file') return [];
    const found = [...movesOf({ old: before, now: resource }, pace)];
    return resource === undefined ? placed(old, before, found) : placed(now, resource, found);
  });
  return [...overdue, ...moves];
}

const nameOf = ({ group, names }: ResourceModel): string => [names.plural, group].filter(Boolean).join('.');

/** Yields beta versions that are not deprecated in time (rule 4a). */
function* overdueIn({ versions }: ResourceModel, pace: Pace): Generator<Move> {
  const least = releasesToStay(pace);
  for (const { name, served, stability } of versions) {
    const { level, introduced, deprecated, removed } = stability ?? {};
    if (!served || level !== 'beta' || introduced === undefined || deprecated !== undefined) continue;
    if (isReached(removed, pace.release) || (releasesBetween(introduced, pace.release) ?? 0) <= least) continue;
    yield {
      rule: '4a',
      severity: 'warning',
      version: name,
      keyword: 'stability',
      message: `${name} was introduced in ${introduced}, and has been beta for more than ${least} releases`,
      advice: 'add a stable version, or a later beta, and deprecate this one',
    };
  }
}

const places = new WeakMap<Side, ReturnType<typeof createPlaces>>();

function placed(side: Side, resource: ResourceModel, moves: readonly Move[]): readonly LifeFinding[] {
  const placeOf = places.get(side) ?? createPlaces(side);
  places.set(side, placeOf);
  return moves.map(({ keyword, ...move }) => {
    const about: Difference = { ...partOf(move), resource: nameOf(resource), path: '', keyword };
    return { ...move, resource: nameOf(resource), place: placeOf(about, resource) };
  });
}

const partOf = ({ version }: Pick<Move, 'version'>) => (version === undefined ? {} : { version });

// Compares the versions of two releases of definitions: finds changes and removals that come too early for clients and
// data.

/** A break of a deprecation rule. */
interface Move {
  /** `3`, `4a` or `4b`. */
  readonly rule: string;
  readonly severity: 'error' | 'warning';
  /** The version and its key; without a version, the resource as a whole. */
  readonly version?: string;
  readonly keyword: 'storage' | 'served' | 'stability' | 'name' | 'versions';
  readonly message: string;
  readonly advice: string;
}

/**
 * The definitions of one resource in the release before and in this release; `now` is `undefined` if it was removed.
 */
interface Releases {
  readonly old: ResourceModel;
  readonly now: ResourceModel | undefined;
}

/** Yields every change that comes too early between two releases. */
function* movesOf({ old, now }: Releases, pace: Pace): Generator<Move> {
  for (const version of old.versions) yield* goneTooEarly(version, find(now, version.name), pace);
  if (now === undefined) return;
  yield* storedTooEarly(old, now);
  yield* preferredTooEarly(old, now);
  for (const version of now.versions) yield* toldTooLate(find(old, version.name), version, pace);
}

const find = (resource: ResourceModel | undefined, name: string): VersionModel | undefined =>
  resource?.versions.find((version) => version.name === name);

/**
 * Yields a version that is no longer served, or that is no longer defined although objects may be stored in it (rule
 * 4a).
 */
function* goneTooEarly(old: VersionModel, now: VersionModel | undefined, pace: Pace): Generator<Move> {
  const isServed = now?.served === true && !isEnded(now, pace);
  if (old.served && !isServed && !isEnded(old, pace)) yield* servedTooShort(old, now, pace);
  if (now === undefined && old.storage) {
    yield {
      rule: '4a',
      severity: 'error',
      keyword: 'versions',
      message: `${old.name} must stay defined: objects are stored in it`,
      advice: `keep it with \`served: false\` until \`kindforge storage migrate-versions\` has run on every server`,
    };
  }
}

const isEnded = ({ stability }: VersionModel, { release }: Pace): boolean =>
  stability?.removed !== undefined && compareReleases(stability.removed, release) <= 0;

function* servedTooShort(old: VersionModel, now: VersionModel | undefined, pace: Pace): Generator<Move> {
  const level = stageOf(old);
  if (level === 'alpha') return;
  const place = now === undefined ? {} : { version: now.name };
  const gone = { rule: '4a', severity: 'error', ...place, keyword: now === undefined ? 'versions' : 'served' } as const;
  const { deprecated } = old.stability ?? {};
  if (level === 'stable') {
    if (deprecated !== undefined && isNewMajor(pace.release, deprecated)) return;
    const message = `${old.name} is no longer served; a stable version must stay within a major release`;
    yield {
      ...gone,
      message,
      advice: 'keep serving it; you may deprecate it now, and remove it in the next major release',
    };
    return;
  }
  const least = releasesToStay(pace);
  if (deprecated === undefined) {
    const message = `${old.name} is no longer served, but was not deprecated before`;
    yield { ...gone, message, advice: `deprecate it now, and remove it in ${afterReleases(pace.release, least)}` };
    return;
  }
  const from = afterReleases(deprecated, least);
  if ((releasesBetween(from, pace.release) ?? 0) >= 0) return;
  const message = `${old.name} was deprecated in ${deprecated}, so it must stay until ${from}, but ${pace.release} does not serve it`;
  yield { ...gone, message, advice: `serve it until ${from}` };
}

/** Yields a stored version that the release before cannot read (rule 4b). */
function* storedTooEarly(old: ResourceModel, now: ResourceModel): Generator<Move> {
  const stored = now.versions.find(({ storage }) => storage);
  const before = old.versions.find(({ storage }) => storage);
  if (stored === undefined || before === undefined || find(old, stored.name) !== undefined) return;
  yield {
    rule: '4b',
    severity: 'error',
    version: stored.name,
    keyword: 'storage',
    message: `objects are stored in ${stored.name}, which the release before cannot read`,
    advice: `store ${before.name} in this release, and ${stored.name} from the next one on`,
  };
}

/** Yields a preferred version that the release before does not serve (rule 4b). */
function* preferredTooEarly(old: ResourceModel, now: ResourceModel): Generator<Move> {
  const [before, after] = [preferredVersion(old), preferredVersion(now)];
  if (before === undefined || after === undefined || before === after) return;
  if (find(old, after)?.served === true) return;
  const isNative = now.decoding === 'typed';
  yield {
    rule: '4b',
    // A CustomResourceDefinition always prefers the first served version by name.
    severity: isNative ? 'error' : 'warning',
    version: after,
    keyword: 'name',
    message: `clients that accept any version use ${after}, which the release before does not serve`,
    advice: isNative
      ? `serve ${after} on request in this release (\`stability: { level: beta }\`), and by default from the next one on`
      : `clients must name ${before} while somebody may go back to the release before`,
  };
}

/** Yields deprecations that are dated before the first release that announces them. */
function* toldTooLate(old: VersionModel | undefined, now: VersionModel, { release }: Pace): Generator<Move> {
  const life: Partial<Stability> = now.stability ?? {};
  if (old === undefined || life.deprecated === undefined || old.stability?.deprecated !== undefined) return;
  if (compareReleases(life.deprecated, release) >= 0) return;
  yield {
    rule: '4a',
    severity: 'error',
    version: now.name,
    keyword: 'stability',
    message: `${now.name} says that it was deprecated in ${life.deprecated}, but the release before does not say so`,
    advice: `write \`deprecated: "${release}"\``,
  };
}
