/** Counts and comparisons that keywords ask for: characters, properties, multiples, membership. */
import type { JsonObject, JsonValue } from '../../contract/index.js';
import { equal } from '../../objects/equality.js';
import { identity } from './identity.js';
import type { Value } from './value.js';

/** Number of Unicode code points of a text. */
function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Whether a text has more characters (code points) than this. Counts only where its length leaves a doubt. */
export function isLonger(text: string, maximum: number): boolean {
  return text.length > maximum && (text.length > 2 * maximum || codePoints(text) > maximum);
}

/** Whether a text has fewer characters (code points) than this. */
export function isShorter(text: string, minimum: number): boolean {
  return text.length < minimum || (text.length < 2 * minimum && codePoints(text) < minimum);
}

/** Number of properties of an object that are present. */
export function countProperties(object: JsonObject): number {
  let count = 0;
  for (const key in object) if (object[key] !== undefined) count++;
  return count;
}

/** Whether a number is a whole multiple of another; exact for integers of any size. `factor` is positive. */
export function isMultiple(value: number | bigint, factor: number): boolean {
  if (typeof value === 'bigint' && Number.isInteger(factor)) return value % BigInt(factor) === 0n;
  if (Number.isInteger(value) && Number.isInteger(factor)) return Number(value) % factor === 0;
  const times = factor < 1 ? (1 / factor) * Number(value) : Number(value) / factor;
  // A fraction that is only the rounding error of the division does not count.
  return Number.isInteger(times) || Math.abs(times - Math.trunc(times)) < 2e-9 * Math.abs(Math.trunc(times));
}

/** Whether a value is among others. Null never is: it is the absence of a value. */
export function isOneOf(values: readonly JsonValue[], value: Value): boolean {
  return value !== null && values.some((allowed) => equal(allowed, value));
}

/** Whether no two items are equal. Linear in the size of the list. */
export function allDiffer(items: readonly JsonValue[]): boolean {
  return new Set(items.map(identity)).size === items.length;
}
