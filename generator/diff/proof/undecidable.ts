/** Differences that are not safe for no object feeling them: there may be others that do. */
import type { JsonValue } from '../../../runtime/contract/index.js';
import { equal } from '../../../runtime/objects/equality.js';
import { isObject } from '../../../runtime/objects/guards.js';
import type { Sides } from './narrow.js';
import { type PlacedDifference, partAt } from './place.js';

/** Why the difference cannot be called safe although no object was found that feels it; `undefined` where it can. */
export function undecidable(difference: PlacedDifference, sides: Sides, tried: number): string | undefined {
  const { keyword } = difference;
  if (isWidening(difference, sides)) return undefined;
  if (tried === 0) return 'no object could be made that has the field';
  const thing = undecided[keyword];
  return thing && `no object was found that ${thing}, which is no proof that there is none`;
}

/** Keywords of which an object that feels their difference may be hard to find. */
const undecided: Readonly<Record<string, string>> = {
  'x-kubernetes-validations': 'the rule refuses',
  pattern: 'one pattern matches and the other does not',
  allOf: 'the conditions refuse',
  anyOf: 'the conditions refuse',
  oneOf: 'the conditions refuse',
  not: 'the condition refuses',
};

/** Whether the new definition refuses nothing for this difference that the old one accepts, whatever the object. */
function isWidening({ keyword, parent, property, old, new: later }: PlacedDifference, sides: Sides): boolean {
  const before = partAt(sides.old, parent);
  switch (keyword) {
    case 'x-kubernetes-validations':
      return later === undefined || isSameRule(old, later);
    case 'properties':
      // A field that the old definition did not know was not stored, unless unknown fields are.
      return later !== undefined && before?.['x-kubernetes-preserve-unknown-fields'] !== true && property !== undefined;
    case 'required':
    case 'pattern':
    case 'maxLength':
    case 'allOf':
    case 'anyOf':
    case 'oneOf':
    case 'not':
    case 'multipleOf':
    case 'format':
      return later === undefined || later === false;
    default:
      return false;
  }
}

/** Whether two rules differ in nothing but their words. */
function isSameRule(old: JsonValue | undefined, later: JsonValue | undefined): boolean {
  if (!isObject(old) || !isObject(later)) return false;
  const [one, other] = [old, later].map(({ rule, optionalOldSelf }) => [
    typeof rule === 'string' ? rule.trim() : '',
    optionalOldSelf === true,
  ]);
  return equal(one, other);
}
