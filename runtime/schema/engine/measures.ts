/** Counts and comparisons for keywords: characters, properties, multiples, membership. */
import type { JsonObject, JsonValue } from '../../contract/index.js';
import { equal } from '../../objects/equality.js';
import { characters } from '../../objects/lines.js';
import { identity, type Value } from './value.js';

/**
 * Returns whether a text has more than `maximum` characters (code points). Counts code points only if the length does
 * not decide.
 */
export function isLonger(text: string, maximum: number): boolean {
  return text.length > maximum && (text.length > 2 * maximum || characters(text) > maximum);
}

/** Returns whether a text has fewer than `minimum` characters (code points). */
export function isShorter(text: string, minimum: number): boolean {
  return text.length < minimum || (text.length < 2 * minimum && characters(text) < minimum);
}

/** Counts the present properties of an object. */
export function countProperties(object: JsonObject): number {
  let count = 0;
  for (const key in object) if (object[key] !== undefined) count++;
  return count;
}

/**
 * Returns whether a number is a multiple of another, as kube-openapi computes it. For an integer and a factor of one or
 * more, truncates the factor and is exact. Otherwise uses doubles if the quotient is at most 2^53. Returns false if
 * `factor` is not positive, which only happens in invalid schemas.
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
  // The fraction of a quotient above one may be only a rounding error. Smaller quotients have no such tolerance.
  const whole = Math.trunc(times);
  return whole > 0 && (times - whole) / (times + whole) < 1e-9;
}

/**
 * Returns whether an integer is a multiple of a factor, by the factor's decimal digits. For quotients that are too
 * large for doubles.
 */
function isDecimalMultiple(value: bigint, factor: number): boolean {
  const [mantissa = '', exponent = '0'] = factor.toExponential().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const power = BigInt(fraction.length - Number(exponent));
  return (value * 10n ** power) % BigInt(whole + fraction) === 0n;
}

/** Returns whether a value is among others. Null never is, because it means absence. */
export function isOneOf(values: readonly JsonValue[], value: Value): boolean {
  return value !== null && values.some((allowed) => equal(allowed, value));
}

/** Returns whether no two items are equal. Takes time linear in the size of the list. */
export function allDiffer(items: readonly JsonValue[]): boolean {
  return new Set(items.map(identity)).size === items.length;
}
