/** Counts and comparisons that keywords ask for: characters, properties, multiples, membership. */
import type { JsonObject, JsonValue } from '../../contract/index.js';
import { equal } from '../../objects/equality.js';
import { identity, type Value } from './value.js';

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

/**
 * Whether a number is a whole multiple of another, as kube-openapi computes it: exact for integers, for which a factor
 * above one loses its fraction; else with doubles, of which no multiple may pass 2^53. `factor` is positive; nothing is a
 * multiple of another, which a schema that is refused can have.
 */
export function isMultiple(value: number | bigint, factor: number): boolean {
  const isWhole = typeof value === 'bigint' || Number.isSafeInteger(value);
  if (!(factor > 0)) return false;
  if (factor >= 1 && isWhole) {
    const whole = Math.trunc(factor);
    return typeof value === 'bigint' ? value % BigInt(whole) === 0n : value % whole === 0;
  }
  const times = factor < 1 ? (1 / factor) * Number(value) : Number(value) / factor;
  if (!(Math.abs(times) <= Number.MAX_SAFE_INTEGER)) return isWhole && isDecimalMultiple(BigInt(value), factor);
  if (Number.isInteger(times)) return true;
  // A fraction that is only the rounding error of the division does not count; below zero, every fraction does.
  const whole = Math.trunc(times);
  return whole > 0 && (times - whole) / (times + whole) < 1e-9;
}

/** The same for an integer that has too many parts for doubles, with the digits that a factor below one is written in. */
function isDecimalMultiple(value: bigint, factor: number): boolean {
  const [mantissa = '', exponent = '0'] = factor.toExponential().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const power = BigInt(fraction.length - Number(exponent));
  return (value * 10n ** power) % BigInt(whole + fraction) === 0n;
}

/** Whether a value is among others. Null never is: it is the absence of a value. */
export function isOneOf(values: readonly JsonValue[], value: Value): boolean {
  return value !== null && values.some((allowed) => equal(allowed, value));
}

/** Whether no two items are equal. Linear in the size of the list. */
export function allDiffer(items: readonly JsonValue[]): boolean {
  return new Set(items.map(identity)).size === items.length;
}
