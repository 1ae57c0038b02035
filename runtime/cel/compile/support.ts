/** The functions that compiled programs call. */
import { tenth } from '../check/call-cost.js';
import type { Meter } from '../check/range.js';
import { fail } from '../values/error.js';
import { textSize } from '../values/text.js';
import { type CelValue, Optional } from '../values/value.js';

export { textSize } from '../values/text.js';
export { Double, Uint } from '../values/value.js';
export {
  all,
  and,
  chain,
  collect,
  collectMap,
  EntryMap,
  entryValue,
  exists,
  existsOne,
  fail,
  hasField,
  hasJsonEntry,
  hasJsonField,
  jsonEntry,
  jsonField,
  jsonIndex,
  jsonItems,
  jsonKeys,
  noSuchKey,
  noSuchOverload,
  or,
  orOptional,
  orValue,
  pairsOf,
  rangeOf,
  selectField,
  selectPaid,
  truth,
  typeValue,
} from './control.js';
export { findAllPattern, findPattern, matchesPattern, patternOf } from './patterns.js';
export {
  orNull,
  readBool,
  readBytes,
  readDate,
  readDouble,
  readDuration,
  readDyn,
  readInt,
  readKeyedList,
  readList,
  readMap,
  readObject,
  readOptional,
  readSet,
  readText,
  readTimestamp,
} from './readers.js';

/** Compares two texts at the cost of the shorter one. Null equals only null. */
export function equalText(meter: Meter, a: string | null, b: string | null): boolean {
  if (a === null || b === null) {
    meter.charge(1);
    return a === b;
  }
  const least = Math.min(a.length, b.length);
  meter.charge(least === 0 ? 0 : least <= 10 ? 1 : Math.ceil(Math.min(textSize(a), textSize(b)) * 0.1));
  return a === b;
}

/** Returns whether a text starts with another, at the cost of the text. */
export function startsWith(meter: Meter, text: string, start: string): boolean {
  meter.charge(tenth(text));
  return text.startsWith(start);
}

/** Returns whether a text ends with another, at the cost of the text. */
export function endsWith(meter: Meter, text: string, end: string): boolean {
  meter.charge(tenth(text));
  return text.endsWith(end);
}

/** Throws the error of a data variable without a value. */
export function unset(name: string): never {
  return fail(`no such attribute(s): ${name}`);
}

/** Throws the error of a variable without a value; null is a value. */
export function unbound(value: CelValue | undefined, name: string): null {
  return value === null ? null : fail(`no such attribute(s): ${name}`);
}

/** Returns the items that an optional entry adds to a list. */
export function entryItems(value: CelValue): readonly CelValue[] {
  if (!(value instanceof Optional)) return fail('no such overload');
  return value.value === undefined ? [] : [value.value];
}
