/** Reads texts of typed kinds that have a stored form of their own: times, bytes and quantities. */
import type { JsonObject } from '../../contract/index.js';
import { canonicalQuantity } from '../../objects/scan/quantity.js';
import { microTimeProblem, parseMicroTime, parseTime, timeProblem } from '../../objects/time/time.js';
import type { Mismatch } from './mismatch.js';
import { mismatch, notInteger, unreadable } from './mismatch.js';
import type { Value } from './value.js';

/** The stored form of a text, or why there is none. */
type Read = string | Mismatch;

/** A time of RFC 3339, stored in UTC with whole seconds. What is no text is told as such, whatever the field's type. */
export function readTime(value: Value, struct: string, field: string, wanted: string): Read {
  if (typeof value !== 'string') return mismatch(struct, field, 'string', value);
  return parseTime(value) ?? unreadable(struct, field, wanted, timeProblem(value));
}

/** A time with exactly six digits of a second, stored in UTC. */
export function readMicroTime(value: Value, struct: string, field: string, wanted: string): Read {
  if (typeof value !== 'string') return mismatch(struct, field, 'string', value);
  return parseMicroTime(value) ?? unreadable(struct, field, wanted, microTimeProblem(value));
}

/**
 * Bytes in base64 (RFC 4648 with padding; line breaks are let through), stored without line breaks. A list of numbers
 * is bytes as well.
 */
export function readBytes(value: Value, struct: string, field: string, wanted: string): Read {
  if (Array.isArray(value)) return bytesOf(value, struct, field);
  if (typeof value !== 'string') return mismatch(struct, field, wanted, value);
  const text = /[\r\n]/.test(value) ? value.replace(/[\r\n]/g, '') : value;
  const isWhole = text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
  if (!isWhole) return unreadable(struct, field, wanted, `illegal base64 data at input byte ${badByte(value)}`);
  // The unused bits before the padding are zero in the stored form.
  return text.endsWith('=') ? Buffer.from(text, 'base64').toString('base64') : text;
}

/** The base64 of bytes that are written as numbers; null is zero. */
function bytesOf(items: readonly Value[], struct: string, field: string): Read {
  const bytes = items.map((item) => item ?? 0);
  const wrong = bytes.find((byte) => !isInt32(byte) || byte < 0 || byte > 255);
  return wrong === undefined
    ? Buffer.from(bytes.filter(isInt32)).toString('base64')
    : notInteger(struct, field, 'uint8', wrong);
}

/**
 * A map of texts, in place: null stands for the empty one. Answers the first value that is none. Every key is looked at
 * once, by a loop that the engine compiles to no lookups at all.
 */
export function readTexts(map: JsonObject, struct: string, field: string, wanted: string): Mismatch | undefined {
  for (const key in map) {
    const entry = map[key];
    if (entry === null) map[key] = '';
    else if (typeof entry !== 'string') return mismatch(struct, field, wanted, entry);
  }
  return undefined;
}

/**
 * A quantity (`500m`, `2Gi`), also written as a plain number or with spaces around it, stored in its canonical form.
 * Whatever else it may be, it is no quantity.
 */
export function readQuantity(value: Value, struct: string, field: string, wanted: string): Read {
  const canonical = canonicalQuantity(quantityText(value));
  return canonical.ok ? canonical.value : unreadable(struct, field, wanted, canonical.failure.message);
}

function quantityText(value: Value): string {
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

/** Where a text ceases to be base64; where it ends too early, the beginning of its last group of four. */
function badByte(text: string): number {
  let inGroup = 0;
  for (let i = 0; i < text.length; i++) {
    if (isBreak(text, i)) continue;
    if (/[A-Za-z0-9+/]/.test(text.charAt(i))) inGroup = (inGroup + 1) % 4;
    else return text.charAt(i) === '=' && inGroup >= 2 ? badPadding(text, i, inGroup) : i;
  }
  return text.length - inGroup;
}

/** Where the padding that begins at `start` goes wrong; after two characters of a group it has two parts. */
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

/** Whether a value is an integer of 32 bits. */
export function isInt32(value: Value): value is number {
  return typeof value === 'number' && (value | 0) === value;
}

/** Whether a value is an empty list or an object without properties. */
export function isEmpty(value: Value): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.length === 0;
  for (const key in value) if (value[key] !== undefined) return false;
  return true;
}
