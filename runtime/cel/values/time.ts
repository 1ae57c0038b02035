/** Timestamps and durations: their texts, ranges and calendar fields. */
import { parseDuration as nanosecondsIn } from '../../objects/scan/duration.js';
import { withoutTrailing } from '../../objects/scan/numbers.js';
import { fail } from './error.js';
import { maxInt, minInt } from './int.js';
import { Duration, Timestamp } from './value.js';

const second = 1_000_000_000n;
const minute = 60n * second;

/** The first and the last second of the years 1 to 9999. */
const minSeconds = -62_135_596_800n;
const maxSeconds = 253_402_300_799n;

/** Makes a timestamp. Throws an error outside the years 1 to 9999. */
export function toTimestamp(nanos: bigint, offset = 0): Timestamp {
  const seconds = floorDivide(nanos, second);
  return seconds < minSeconds || seconds > maxSeconds ? fail('timestamp overflow') : new Timestamp(nanos, offset);
}

/** Makes a duration. Throws an error if its nanoseconds do not fit into 64 bits. */
export function toDuration(nanos: bigint): Duration {
  return nanos < minInt || nanos > maxInt ? fail('integer overflow') : new Duration(nanos);
}

/** Returns whole seconds since 1970, rounded down. */
export function unixSeconds({ nanos }: Timestamp): bigint {
  return floorDivide(nanos, second);
}

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b < 0n ? quotient - 1n : quotient;
}

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(?:Z|([+-])(\d\d):(\d\d))$/;

/** Reads a time of RFC 3339, to the nanosecond. Returns `undefined` for other texts. */
export function parseTimestamp(text: string): Timestamp | undefined {
  const match = rfc3339.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minutes = 0, seconds = 0] = match.slice(1, 7).map(Number);
  if (month < 1 || month > 12 || day < 1 || hour > 23 || minutes > 59 || seconds > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1) return undefined;
  const offsetHours = Number(match[9] ?? 0);
  const offsetMinutes = Number(match[10] ?? 0);
  if (offsetHours > 24 || offsetMinutes > 59) return undefined;
  const offset = BigInt(offsetHours * 60 + offsetMinutes) * (match[8] === '-' ? -1n : 1n);
  const fraction = BigInt((match[7] ?? '').slice(0, 9).padEnd(9, '0'));
  const clock = BigInt(hour * 3600 + minutes * 60 + seconds);
  const nanos = (BigInt(date.getTime()) / 1000n + clock) * second + fraction - offset * minute;
  const whole = floorDivide(nanos, second);
  return whole < minSeconds || whole > maxSeconds ? undefined : new Timestamp(nanos, Number(offset));
}

/**
 * Formats a timestamp by RFC 3339 at its original offset, with as many digits of the second's fraction as necessary.
 */
export function formatTimestamp({ nanos, offset }: Timestamp): string {
  const seconds = floorDivide(nanos, second);
  const fraction = fractionText(nanos - seconds * second);
  const clock = new Date((Number(seconds) + offset * 60) * 1000).toISOString().slice(0, -5);
  return `${clock}${fraction}${offsetText(offset)}`;
}

function offsetText(offset: number): string {
  if (offset === 0) return 'Z';
  const size = Math.abs(offset);
  const part = (value: number): string => String(value).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${part(Math.trunc(size / 60))}:${part(size % 60)}`;
}

/** Formats seconds with a fraction: `5400s`, `1.5s`. */
export function formatDuration({ nanos }: Duration): string {
  const size = nanos < 0n ? -nanos : nanos;
  return `${nanos < 0n ? '-' : ''}${size / second}${fractionText(size % second)}s`;
}

function fractionText(nanos: bigint): string {
  const digits = withoutTrailing(nanos.toString().padStart(9, '0'), '0');
  return digits === '' ? '' : `.${digits}`;
}

/**
 * Reads a sum of numbers with units: `1h30m`, `-1.5s`, `0`. Returns `undefined` for other texts and for values out of
 * range.
 */
export function parseDuration(text: string): Duration | undefined {
  const nanos = nanosecondsIn(text);
  return nanos === undefined ? undefined : new Duration(nanos);
}

/** The calendar fields of timestamps. */
export type TimeField =
  | 'year'
  | 'month'
  | 'date'
  | 'dayOfMonth'
  | 'dayOfWeek'
  | 'dayOfYear'
  | 'hours'
  | 'minutes'
  | 'seconds'
  | 'milliseconds';

/** Returns a field in a time zone. The zone is an IANA name or an offset such as `+02:00`; UTC if empty or absent. */
export function timeField({ nanos }: Timestamp, field: TimeField, zone?: string): number {
  const seconds = floorDivide(nanos, second);
  if (field === 'milliseconds') return Number((nanos - seconds * second) / 1_000_000n);
  const local = new Date((Number(seconds) + zoneOffset(zone, Number(seconds))) * 1000);
  return calendar[field](local);
}

const calendar: Readonly<Record<Exclude<TimeField, 'milliseconds'>, (date: Date) => number>> = {
  year: (date) => date.getUTCFullYear(),
  month: (date) => date.getUTCMonth(),
  date: (date) => date.getUTCDate(),
  dayOfMonth: (date) => date.getUTCDate() - 1,
  dayOfWeek: (date) => date.getUTCDay(),
  dayOfYear: (date) => {
    const start = new Date(date);
    start.setUTCMonth(0, 1);
    return Math.round((date.getTime() - start.getTime()) / 86_400_000);
  },
  hours: (date) => date.getUTCHours(),
  minutes: (date) => date.getUTCMinutes(),
  seconds: (date) => date.getUTCSeconds(),
};

/** Returns the seconds by which a zone is ahead of UTC. */
function zoneOffset(zone: string | undefined, seconds: number): number {
  if (zone === undefined || zone === '' || zone === 'UTC') return 0;
  const fixed = /^([+-]?)(\d\d):(\d\d)$/.exec(zone);
  if (fixed !== null) {
    const size = Number(fixed[2]) * 3600 + Number(fixed[3]) * 60;
    return fixed[1] === '-' ? -size : size;
  }
  const format = zoneFormat(zone);
  const parts = Object.fromEntries(
    format.formatToParts(new Date(seconds * 1000)).map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute: minutes = 0, second: rest = 0 } = parts;
  const local = new Date(0);
  local.setUTCFullYear(year, month - 1, day);
  local.setUTCHours(hour, minutes, rest);
  return local.getTime() / 1000 - seconds;
}

const zoneFormats = new Map<string, Intl.DateTimeFormat>();
const maxZones = 1000;

function zoneFormat(zone: string): Intl.DateTimeFormat {
  const known = zoneFormats.get(zone);
  if (known !== undefined) return known;
  if (!/^[A-Za-z][A-Za-z0-9_+\-/]*$/.test(zone)) return fail(`unknown time zone ${zone}`);
  const format = makeFormat(zone) ?? fail(`unknown time zone ${zone}`);
  if (zoneFormats.size < maxZones) zoneFormats.set(zone, format);
  return format;
}

function makeFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  const numeric = 'numeric';
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: numeric,
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
      second: numeric,
    });
  } catch {
    return undefined;
  }
}
