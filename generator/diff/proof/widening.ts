/** Recognizes differences that cannot refuse or change any object. */
import type { JsonValue } from '../../../runtime/contract/index.js';
import { equal } from '../../../runtime/objects/equality.js';
import { isArray, isObject } from '../../../runtime/objects/guards.js';
import type { Sides } from './narrow.js';
import { type PlacedDifference, partAt } from './place.js';

/** Returns whether the new definition accepts everything that the old one accepts, if only this difference counts. */
export function isWidening({ keyword, parent, old, new: later }: PlacedDifference, sides: Sides): boolean {
  switch (keyword) {
    case 'x-kubernetes-validations':
      return later === undefined || isSameRule(old, later);
    case 'properties':
      // The old definition did not store a field that it did not know, unless it preserves unknown fields.
      return later !== undefined && partAt(sides.old, parent)?.['x-kubernetes-preserve-unknown-fields'] !== true;
    case 'maxLength':
    case 'maxItems':
    case 'maxProperties':
    case 'maximum':
      return later === undefined || isAtLeast(later, old);
    case 'minLength':
    case 'minItems':
    case 'minProperties':
    case 'minimum':
      return later === undefined || isAtLeast(old, later);
    case 'enum':
      return later === undefined || (isArray(old) && isArray(later) && old.every((value) => includes(later, value)));
    case 'nullable':
      return later === true;
    case 'required':
    case 'pattern':
    case 'format':
    case 'multipleOf':
    case 'uniqueItems':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
    case 'allOf':
    case 'anyOf':
    case 'oneOf':
    case 'not':
      return later === undefined || later === false;
    default:
      return false;
  }
}

const isAtLeast = (one: JsonValue | undefined, other: JsonValue | undefined): boolean =>
  one !== undefined && other !== undefined && Number(one) >= Number(other);

const includes = (values: readonly JsonValue[], value: JsonValue): boolean => values.some((each) => equal(each, value));

/** Returns whether two rules differ only in their messages. */
function isSameRule(old: JsonValue | undefined, later: JsonValue | undefined): boolean {
  if (!isObject(old) || !isObject(later)) return false;
  const [one, other] = [old, later].map(({ rule, optionalOldSelf }) => [
    typeof rule === 'string' ? rule.trim() : '',
    optionalOldSelf === true,
  ]);
  return equal(one, other);
}
