/** Finds differences that may be unsafe although they affected no object that was tried. */
import type { Schema } from '../../../runtime/contract/index.js';
import type { Sides } from './narrow.js';
import { type PlacedDifference, partAt } from './place.js';
import { CLOSE } from './values/value-maker.js';
import { isWidening } from './widening.js';

/**
 * Returns why the difference may be unsafe although no object shows it; `undefined` if it is safe. `isReached` says
 * whether an object that was tried has a value at the place.
 */
export function undecidable(difference: PlacedDifference, sides: Sides, isReached: boolean): string | undefined {
  const { keyword, segments, new: later } = difference;
  if (isWidening(difference, sides)) return undefined;
  if (!isReached) return 'no object could be made that has the field';
  if (hasFewValues(partAt(sides.old, segments)) && !JSON.stringify(later ?? null).includes('oldSelf')) return undefined;
  const thing = undecided[keyword];
  return thing && `no object was found that ${thing}, but one may exist`;
}

/** Returns whether all values of a place are tried. */
const hasFewValues = ({ type, enum: members }: Schema = {}): boolean =>
  type === 'boolean' || (members !== undefined && members.length < CLOSE / 2);

/** Keywords with differences that an object may rarely show. */
const undecided: Readonly<Record<string, string>> = {
  'x-kubernetes-validations': 'the rule refuses',
  pattern: 'one pattern matches and the other does not',
  allOf: 'the conditions refuse',
  anyOf: 'the conditions refuse',
  oneOf: 'the conditions refuse',
  not: 'the condition refuses',
};
