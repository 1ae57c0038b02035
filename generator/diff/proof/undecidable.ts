/** Differences of which objects that nobody feels them prove nothing: there may be others. */
import type { Schema } from '../../../runtime/contract/index.js';
import { equal } from '../../../runtime/objects/equality.js';
import type { Sides } from './narrow.js';
import { type PlacedDifference, partAt } from './place.js';

/** Why the difference cannot be called safe although no object was found that feels it; `undefined` where it can. */
export function undecidable(difference: PlacedDifference, sides: Sides, tried: number): string | undefined {
  const { keyword, segments } = difference;
  const [old, later] = [partAt(sides.old, segments), partAt(sides.new, segments)];
  if (old === undefined || later === undefined) return tried > 0 || old === undefined ? undefined : NO_OBJECT;
  if (keyword === 'x-kubernetes-validations') return rulesReason(old, later);
  if (keyword === 'pattern') return patternReason(old, later);
  if (['allOf', 'anyOf', 'oneOf', 'not'].includes(keyword)) return conditionReason(old, later, keyword);
  return tried > 0 ? undefined : NO_OBJECT;
}

const NO_OBJECT = 'no object could be made that has the field';

/** Rules that are gone refuse nothing, and other words for one change no answer but its words. */
function rulesReason(old: Schema, later: Schema): string | undefined {
  const known = new Set((old['x-kubernetes-validations'] ?? []).map(identity));
  const isNew = (later['x-kubernetes-validations'] ?? []).some((rule) => !known.has(identity(rule)));
  return isNew ? 'no object was found that a rule refuses, which is no proof that there is none' : undefined;
}

const identity = ({ rule, optionalOldSelf }: { rule: string; optionalOldSelf?: boolean }): string =>
  `${optionalOldSelf === true} ${rule.trim()}`;

function patternReason(old: Schema, later: Schema): string | undefined {
  if (later.pattern === undefined || old.enum !== undefined) return undefined;
  return 'no text was found that one pattern matches and the other does not, which is no proof that there is none';
}

function conditionReason(old: Schema, later: Schema, keyword: string): string | undefined {
  const now: unknown = Reflect.get(later, keyword);
  if (now === undefined && keyword !== 'not') return undefined;
  return equal(JSON.parse(JSON.stringify(Reflect.get(old, keyword) ?? null)), JSON.parse(JSON.stringify(now ?? null)))
    ? undefined
    : 'no object was found that the condition refuses, which is no proof that there is none';
}
