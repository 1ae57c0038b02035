/** Proves what a difference between two definitions of a version means, by objects that both of them answer. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import type { DiffedVersion, Difference, Prover, Verdict, Witness } from '../difference.js';
import { placed } from './place.js';
import { Search } from './search.js';
import { keyOf } from './values/value-text.js';

/** How to look for witnesses. */
export interface ProverOptions {
  /** Objects of the user, as they are stored; they are tried first. */
  readonly objects?: readonly JsonObject[];
  /** Objects made by chance that each difference is tried on, besides those made for it; 100 where not given. */
  readonly runs?: number;
}

/** Prepares judging the differences of two definitions of one version; the same definitions get the same verdicts. */
export function createProver(old: DiffedVersion, later: DiffedVersion, options: ProverOptions = {}): Prover {
  const searches = new Map<string, Search>();
  const searchOf = (difference: Difference): Search | undefined => {
    const place = placed(difference);
    if (place === undefined) return undefined;
    const key = keyOf([
      place.keyword,
      [...(place.node ?? [])],
      place.property ?? null,
      place.old ?? null,
      place.new ?? null,
    ]);
    const search = searches.get(key) ?? new Search(old, later, place, options);
    searches.set(key, search);
    return search;
  };
  return {
    judge: (difference): Verdict =>
      searchOf(difference)?.verdict() ?? { kind: 'undecided', tried: 0, reason: 'no schema says what differs' },
    newlySeen: (difference): Witness | undefined => searchOf(difference)?.newlySeen(),
  };
}
