/**
 * Reads numbers as Go does. Checks lengths first, because converting digits to a number takes longer than scanning
 * them.
 */

/** A number, or why the text is not a number, in the words of Go. */
export type ReadNumber =
  | { readonly ok: true; readonly value: bigint }
  | { readonly ok: false; readonly problem: 'invalid syntax' | 'value out of range' };

/** The most digits of a 64-bit integer, without leading zeros. */
const maxDigits = 20;

/** Reads a decimal 64-bit integer with or without a sign, like `strconv.ParseInt`. */
export function parseInt64(text: string): ReadNumber {
  const first = text.charAt(0);
  const signed = first === '-' || first === '+';
  const size = readDigits(signed ? text.slice(1) : text);
  if (size === undefined) return { ok: false, problem: 'invalid syntax' };
  const value = first === '-' ? -size : size;
  return value === BigInt.asIntN(64, value) ? { ok: true, value } : { ok: false, problem: 'value out of range' };
}

/** Reads a decimal 64-bit integer without a sign, like `strconv.ParseUint`. */
export function parseUint64(text: string): ReadNumber {
  const value = readDigits(text);
  if (value === undefined) return { ok: false, problem: 'invalid syntax' };
  return value === BigInt.asUintN(64, value) ? { ok: true, value } : { ok: false, problem: 'value out of range' };
}

/**
 * Returns the number of a text of digits, or a number beyond 64 bits if it has too many. `undefined` for other texts.
 */
function readDigits(text: string): bigint | undefined {
  if (text === '' || digitsEnd(text, 0) < text.length) return undefined;
  const digits = withoutLeading(text, '0');
  return digits.length > maxDigits ? 2n ** 64n : BigInt(digits);
}

/** A number, with an optional fraction and exponent. No text matches in two ways, so the match takes linear time. */
const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * Reads a decimal number as a double, like `strconv.ParseFloat` except for hexadecimal forms. Accepts `inf`, `infinity`
 * and `nan` in any case. Returns `undefined` for other texts and for numbers beyond the largest double.
 */
export function parseDouble(text: string): number | undefined {
  if (text.length <= longestWord) {
    const special = /^([+-]?)(?:inf|infinity)$/i.exec(text);
    if (special !== null) return special[1] === '-' ? -Infinity : Infinity;
    if (/^nan$/i.test(text)) return Number.NaN;
  }
  const value = decimal.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}

const longestWord = '+infinity'.length;

const zero = 0x30;

/** Returns where the digits that begin at `from` end. */
export function digitsEnd(text: string, from: number): number {
  let at = from;
  while (isDigit(text, at)) at++;
  return at;
}

/** Returns whether the character at an index is one of `0` to `9`. */
function isDigit(text: string, index: number): boolean {
  const digit = text.charCodeAt(index) - zero;
  return digit >= 0 && digit <= 9;
}

/**
 * Removes `characters` from the end of a text. The pattern `/=+$/` would take longer, because it searches again from
 * each `=`.
 */
export function withoutTrailing(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** Removes `characters` from the start of a text. */
export function withoutLeading(text: string, characters: string): string {
  let start = 0;
  while (start < text.length && characters.includes(text.charAt(start))) start++;
  return text.slice(start);
}

/** Returns the part of a text before the first occurrence of `end`, or all of it if there is none. */
export function textBefore(text: string, end: string): string {
  const at = text.indexOf(end);
  return at < 0 ? text : text.slice(0, at);
}
