/** Reads texts of typed kinds that have a stored form of their own: times, bytes and quantities. */
import type { JsonValue, Schema } from '../../contract/index.js';
import { canonicalQuantity } from '../../objects/scan/quantity.js';
import { microTimeProblem, parseMicroTime, parseTime, timeProblem } from '../../objects/time.js';
import { Mistake } from './mistake.js';
import type { Value } from './value.js';

/** The stored form of a text, or why there is none. */
type Read = string | Mistake;

/** Reads a time of RFC 3339, stored in UTC with whole seconds. Reports a value that is not a string. */
export function readTime(value: JsonValue, schema: Schema): Read {
  if (typeof value !== 'string') return Mistake.ofType('string', value);
  return parseTime(value) ?? Mistake.ofText(schema, timeProblem(value));
}

/** Reads a time with exactly six digits of a second, stored in UTC. */
export function readMicroTime(value: JsonValue, schema: Schema): Read {
  if (typeof value !== 'string') return Mistake.ofType('string', value);
  return parseMicroTime(value) ?? Mistake.ofText(schema, microTimeProblem(value));
}

/**
 * Reads bytes in base64 (RFC 4648 with padding; line breaks are let through), stored without line breaks. A list of
 * numbers is bytes as well.
 */
export function readBytes(value: JsonValue, schema: Schema): Read {
  if (Array.isArray(value)) return bytesOf(value);
  if (typeof value !== 'string') return Mistake.ofType(schema, value);
  const text = /[\r\n]/.test(value) ? value.replace(/[\r\n]/g, '') : value;
  const isWhole = text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
  if (!isWhole) return Mistake.ofText(schema, `illegal base64 data at input byte ${badByte(value)}`);
  // The unused bits before the padding are zero in the stored form.
  return text.endsWith('=') ? btoa(atob(text)) : text;
}

/** Returns the base64 of bytes that are written as numbers; null is zero. */
function bytesOf(items: readonly JsonValue[]): Read {
  let bytes = '';
  for (const item of items) {
    const byte = item ?? 0;
    if (!isInt32(byte) || byte < 0 || byte > 255) return Mistake.ofNumber('uint8', byte);
    bytes += String.fromCharCode(byte);
  }
  return btoa(bytes);
}

/**
 * Reads a quantity (`500m`, `2Gi`), also written as a plain number or with spaces around it, stored in its canonical
 * form. A value of any other type is not a quantity.
 */
export function readQuantity(value: JsonValue, schema: Schema): Read {
  const canonical = canonicalQuantity(quantityText(value));
  return canonical.ok ? canonical.value : Mistake.ofText(schema, canonical.failure.message);
}

function quantityText(value: JsonValue): string {
  if (typeof value === 'string') return withoutSpacesAround(value);
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : '';
}

/** Spaces as JSON may write them; tabs and line breaks are escaped there, and are part of the text. */
const space = /^\p{Z}$/u;

function withoutSpacesAround(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && space.test(text.charAt(start))) start++;
  while (end > start && space.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/** Returns where a text stops being base64. If it ends too early, returns the beginning of its last group of four. */
function badByte(text: string): number {
  let inGroup = 0;
  for (let i = 0; i < text.length; i++) {
    if (isBreak(text, i)) continue;
    if (/[A-Za-z0-9+/]/.test(text.charAt(i))) inGroup = (inGroup + 1) % 4;
    else return text.charAt(i) === '=' && inGroup >= 2 ? badPadding(text, i, inGroup) : i;
  }
  return text.length - inGroup;
}

/** Returns where the padding from `start` is wrong. After two characters of a group it has two parts. */
function badPadding(text: string, start: number, inGroup: number): number {
  const second = skipBreaks(text, start + 1);
  if (inGroup === 3 || second === text.length) return second;
  return text.charAt(second) === '=' ? skipBreaks(text, second + 1) : second - 1;
}

const isBreak = (text: string, index: number): boolean => text.charAt(index) === '\n' || text.charAt(index) === '\r';

function skipBreaks(text: string, from: number): number {
  let index = from;
  while (index < text.length && isBreak(text, index)) index++;
  return index;
}

/** Returns whether a value is an integer of 32 bits. */
export function isInt32(value: Value): value is number {
  return typeof value === 'number' && (value | 0) === value;
}

/** Returns whether a value is an empty list or an object without properties. */
export function isEmpty(value: Value): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.length === 0;
  for (const key in value) if (value[key] !== undefined) return false;
  return true;
}
