/** Proves the meaning of a difference between two definitions of a version, by objects that both of them answer. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import type { DiffedVersion, OwnershipTrial, Prover, Verdict, Witness } from '../difference.js';
import { type PlacedDifference, placed } from './place.js';
import { Search, shareByDifferences } from './search.js';
import { keyOf } from './values/value-text.js';

export interface ProverOptions {
  /** Objects of the user, as they are stored; tried first. */
  readonly objects?: readonly JsonObject[];
  /** Number of random objects to try for each difference, besides the objects made for it. Default: 100. */
  readonly runs?: number;
}

/** Prepares to judge the differences of two definitions of one version; the same definitions get the same verdicts. */
export function createProver(
  old: DiffedVersion,
  later: DiffedVersion,
  { objects = [], runs = 100 }: ProverOptions = {},
): Prover {
  const shared = shareByDifferences(old, later, objects);
  const searches = new Map<string, Search>();
  const searchOf = (place: PlacedDifference): Search => {
    const { keyword, node = [], property = null, old: before = null, new: after = null } = place;
    const key = keyOf([keyword, [...node], property, before, after]);
    const search = searches.get(key) ?? new Search(old, later, place, shared, runs);
    searches.set(key, search);
    return search;
  };
  const judge = (place: PlacedDifference): Verdict => {
    // If all new fields of a place together affect no object, no single one does.
    const all = allAdditions(place);
    const verdict = all && searchOf(all).verdict();
    return verdict?.kind === 'safe' ? verdict : searchOf(place).verdict();
  };
  return {
    judge: (difference): Verdict => {
      const place = placed(difference);
      return place ? judge(place) : { kind: 'undecided', tried: 0, reason: 'the difference is not in a schema' };
    },
    newlySeen: (difference): Witness | undefined => {
      const place = placed(difference);
      return place && searchOf(place).newlySeen();
    },
    ownedOtherwise: (difference): OwnershipTrial => {
      const place = placed(difference);
      return place ? searchOf(place).ownedOtherwise() : { tried: 0 };
    },
  };
}

/** Returns all new fields at the place of one, as a difference; `undefined` for other differences. */
function allAdditions({ property: _, ...place }: PlacedDifference): PlacedDifference | undefined {
  if (place.keyword !== 'properties' || place.old !== undefined) return undefined;
  return { ...place, new: true, segments: place.parent };
}
