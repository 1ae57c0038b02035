/** Everything about the life of versions that a release must not do, or had better not do, with its place. */
import { isReached, releasesBetween } from '../../runtime/objects/release.js';
import type { Difference } from '../diff/difference.js';
import type { FindingPlace } from '../diff/finding.js';
import { createPlaces } from '../diff/sides/places.js';
import type { Side } from '../diff/sides/side.js';
import type { ResourceModel } from '../model/model.js';
import { type Move, movesOf } from './moves.js';
import { type Pace, releasesToStay } from './pace.js';

/** A move with the resource that it is of, and where that is written. */
export interface LifeFinding extends Omit<Move, 'keyword'> {
  /** `<plural>.<group>`. */
  readonly resource: string;
  readonly place: FindingPlace;
}

/** The findings of a side by itself, and those of its difference from an older one where that is given. */
export function findingsOf(now: Side, old: Side | undefined, pace: Pace): readonly LifeFinding[] {
  const overdue = now.definitions.model.resources.flatMap((resource) =>
    placed(now, resource, [...overdueIn(resource, pace)]),
  );
  if (old === undefined) return overdue;
  const known = new Map(now.definitions.model.resources.map((resource) => [nameOf(resource), resource]));
  const moves = old.definitions.model.resources.flatMap((before) => {
    const resource = known.get(nameOf(before));
    // A single file says nothing of the resources that it does not have.
    if (resource === undefined && now.extent === 'file') return [];
    const found = [...movesOf({ old: before, now: resource }, pace)];
    return resource === undefined ? placed(old, before, found) : placed(now, resource, found);
  });
  return [...overdue, ...moves];
}

const nameOf = ({ group, names }: ResourceModel): string => [names.plural, group].filter(Boolean).join('.');

/** Rule 4a: a beta version is deprecated some time after it came. */
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
      message: `${name} came in ${introduced}, and has been beta for more than ${least} releases`,
      advice: 'give it a stable version, or a later beta, and deprecate it',
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
