/** Prints values as error messages of the API do (Go's `%q`, `%v` and `%#v`). Clients match these texts. */
import type { JsonValue } from '../contract/index.js';
import { recursionLevels, writeJson } from './from-below.js';

const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;
const namedEscapes: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

/**
 * Returns a text in double quotes, with escapes for characters that cannot be printed. Plain ASCII, the usual case,
 * costs one test.
 */
export function quote(text: string): string {
  if (/^[ !#-[\]-~]*$/.test(text)) return `"${text}"`;
  let quoted = '"';
  for (const char of text.replace(/\p{Surrogate}/gu, '\ufffd')) quoted += namedEscapes[char] ?? escapeChar(char);
  return `${quoted}"`;
}

function escapeChar(char: string): string {
  if (printable.test(char)) return char;
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x20 || code === 0x7f) return `\\x${hex(code, 2)}`;
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}

/**
 * Returns a number with the fewest digits that identify it. Integers have all their digits. Other numbers have an
 * exponent of at least two digits if they are a million or more, or less than a ten-thousandth.
 */
export function formatNumber(value: number | bigint): string {
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return value.toString();
  const [mantissa = '', power = '0'] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return String(value);
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

/**
 * Returns a whole value as source text: `map[string]interface {}{"a":1}`, with sorted keys. Very deep parts are in
 * JSON.
 */
export const formatSource = (value: JsonValue | undefined): string => sourceAt(value, 0);

function sourceAt(value: JsonValue | undefined, level: number): string {
  if (value === null || value === undefined) return 'interface {}(nil)';
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'object') return formatNumber(value);
  if (level === recursionLevels) return writeJson(value, { order: byCodePoint });
  if (Array.isArray(value)) return `[]interface {}{${value.map((item) => sourceAt(item, level + 1)).join(', ')}}`;
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  const entries = keys.sort(byCodePoint).map((key) => `${quote(key)}:${sourceAt(value[key], level + 1)}`);
  return `map[string]interface {}{${entries.join(', ')}}`;
}

/** Printed for every pointer: the reference prints addresses, which mean nothing. */
const address = '0xc000000000';

/** Returns a pointer as source text: `(*bool)(nil)`. */
export const pointerSource = (type: string, isThere: boolean): string => `(*${type})(${isThere ? address : 'nil'})`;

/** Compares strings by their UTF-8 bytes. Beyond U+FFFF this differs from JavaScript's own order. */
export function byCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left === right) continue;
    // Surrogates encode the highest code points, although some other code units have higher numbers.
    const leftHigh = left >= 0xd800 && left <= 0xdfff;
    const rightHigh = right >= 0xd800 && right <= 0xdfff;
    return leftHigh === rightHigh ? left - right : leftHigh ? 1 : -1;
  }
  return a.length - b.length;
}
