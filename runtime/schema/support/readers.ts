/** Reads texts of typed kinds that have a stored form of their own: times and bytes. */
import { microTimeProblem, parseMicroTime, parseTime, timeProblem } from '../../objects/time.js';
import type { Mismatch } from './mismatch.js';
import { mismatch, unreadable } from './mismatch.js';
import type { Value } from './value.js';

/** The stored form of a text, or why there is none. */
type Read = string | Mismatch;

/** A time of RFC 3339, stored in UTC with whole seconds. */
export function readTime(value: Value, struct: string, field: string, wanted: string): Read {
  if (typeof value !== 'string') return mismatch(struct, field, wanted, value);
  return parseTime(value) ?? unreadable(struct, field, wanted, timeProblem(value));
}

/** A time with exactly six digits of a second, stored in UTC. */
export function readMicroTime(value: Value, struct: string, field: string, wanted: string): Read {
  if (typeof value !== 'string') return mismatch(struct, field, wanted, value);
  return parseMicroTime(value) ?? unreadable(struct, field, wanted, microTimeProblem(value));
}

/** Bytes in base64 (RFC 4648 with padding; line breaks are let through), stored without line breaks. */
export function readBytes(value: Value, struct: string, field: string, wanted: string): Read {
  if (typeof value !== 'string') return mismatch(struct, field, wanted, value);
  const text = /[\r\n]/.test(value) ? value.replace(/[\r\n]/g, '') : value;
  const end = wellFormedBase64(text);
  if (end < text.length) return unreadable(struct, field, wanted, `illegal base64 data at input byte ${end}`);
  // The unused bits before the padding are zero in the stored form.
  return text.endsWith('=') ? Buffer.from(text, 'base64').toString('base64') : text;
}

/** How many characters of a text are base64; all of them if the text is. */
function wellFormedBase64(text: string): number {
  const data = /^[A-Za-z0-9+/]*/.exec(text)?.[0].length ?? 0;
  const rest = text.slice(data);
  const whole =
    text.length % 4 === 0 && (rest === '' || (rest === '=' && data % 4 === 3) || (rest === '==' && data % 4 === 2));
  if (whole) return text.length;
  return rest === '' ? text.length - (text.length % 4) : data;
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
