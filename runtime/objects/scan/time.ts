/** Times as the API writes them: RFC 3339 in UTC, with seconds (Time) or microseconds (MicroTime). */
import { quote } from '../printing.js';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

/** The units to print for spans below a limit in seconds. A second unit of 0 is left out. */
const steps: readonly (readonly [below: number, unit: number, sign: string, minor?: number, minorSign?: string])[] = [
  [2 * minute, 1, 's'],
  [10 * minute, minute, 'm', 1, 's'],
  [3 * hour, minute, 'm'],
  [8 * hour, hour, 'h', minute, 'm'],
  [2 * day, hour, 'h'],
  [8 * day, day, 'd', hour, 'h'],
  [2 * year, day, 'd'],
  [8 * year, year, 'y', day, 'd'],
  [Number.POSITIVE_INFINITY, year, 'y'],
];

/**
 * Returns a span in milliseconds as `90s`, `5m10s`, `3h`, `2d4h` or `1y20d`. Because clocks may differ a little, a time
 * up to two seconds in the future counts as now; a later time is `<invalid>`.
 */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  for (const [below, unit, sign, minor, minorSign] of steps) {
    if (seconds >= below) continue;
    const rest = minor === undefined ? 0 : Math.floor((seconds % unit) / minor);
    return `${Math.floor(seconds / unit)}${sign}${rest > 0 ? `${rest}${minorSign}` : ''}`;
  }
  return '<invalid>';
}

/** Returns the time from an RFC 3339 text to `now` (milliseconds since the epoch), or `<unknown>` for other texts. */
export function timeSince(time: unknown, now: number): string {
  const then = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  return Number.isNaN(then) ? '<unknown>' : humanDuration(now - then);
}

/** The first and the last second of the years with four digits. */
const firstSecond = -62167219200;
const lastSecond = 253402300799;

/** The last printed day. Times that are printed one after the other are mostly of the same day. */
let printed = { day: 0, text: '1970-01-01T' };

/** Returns milliseconds since 1970 as `2006-01-02T15:04:05Z`, without fractions of a second. */
export function formatTime(milliseconds: number): string {
  const second = Math.floor(milliseconds / 1000);
  const day = Math.floor(second / 86400);
  if (day !== printed.day) printed = { day, text: new Date(day * 86_400_000).toISOString().slice(0, 11) };
  const ofDay = second - day * 86400;
  return `${printed.text}${twoDigits(ofDay / 3600)}:${twoDigits((ofDay / 60) % 60)}:${twoDigits(ofDay % 60)}Z`;
}

function twoDigits(value: number): string {
  const whole = Math.floor(value);
  return whole < 10 ? `0${whole}` : `${whole}`;
}

/** Returns the day in UTC of milliseconds since 1970, as `2006-01-02`. */
export const dayOf = (milliseconds: number): string => formatTime(milliseconds).slice(0, 10);

function formatMicro({ seconds, nanoseconds }: Moment): string {
  const micro = String(Math.floor(nanoseconds / 1000)).padStart(6, '0');
  return `${formatTime(seconds * 1000).slice(0, -1)}.${micro}Z`;
}

/** Converts a time of any zone and precision to the stored form with seconds. Returns `undefined` for other texts. */
export function parseTime(text: string): string | undefined {
  const moment = readMoment(text);
  return moment === undefined ? undefined : formatTime(moment.seconds * 1000);
}

/** Converts a time with exactly six digits of fraction. */
export function parseMicroTime(text: string): string | undefined {
  const read = readTime(text, 6);
  return read.ok && isWritable(read.value) ? formatMicro(read.value) : undefined;
}

/** Returns a time in milliseconds since 1970, or `undefined` for other texts. */
export function timeMillis(text: string): number | undefined {
  const moment = readMoment(text);
  return moment === undefined ? undefined : moment.seconds * 1000 + moment.nanoseconds / 1e6;
}

function readMoment(text: string): Moment | undefined {
  const read = readTime(text, 'any');
  return read.ok && isWritable(read.value) ? read.value : undefined;
}

function isWritable({ seconds }: Moment): boolean {
  return seconds >= firstSecond && seconds <= lastSecond;
}

/** Returns the problem of a text that is not a time (`parsing time "x" as …`). */
export function timeProblem(text: string): string {
  const read = readTime(text, 'any');
  return read.ok ? `parsing time "${text}": year outside of range [0,9999]` : read.problem;
}

/** Returns the problem of a text that is not a time with microseconds. */
export function microTimeProblem(text: string): string {
  const read = readTime(text, 6);
  return read.ok ? `parsing time "${text}": year outside of range [0,9999]` : read.problem;
}

/** A moment, exact to the nanosecond. */
interface Moment {
  /** Seconds since 1970 in UTC; negative before. */
  readonly seconds: number;
  /** 0 to 999,999,999. */
  readonly nanoseconds: number;
}

/** A time, or why the text is not a time. */
type ParsedTime = { readonly ok: true; readonly value: Moment } | { readonly ok: false; readonly problem: string };

/** How many digits a fraction of a second must have; `any` also allows none. */
type Fraction = 'any' | 6;

class TimeProblem extends Error {}

/** Reads a time with a zone and a year from 0000 to 9999. Refuses leap seconds. */
function readTime(text: string, fraction: Fraction): ParsedTime {
  try {
    return { ok: true, value: new TimeReader(text, fraction).read() };
  } catch (problem) {
    if (problem instanceof TimeProblem) return { ok: false, problem: problem.message };
    throw problem;
  }
}

class TimeReader {
  private rest: string;

  constructor(
    private readonly text: string,
    private readonly fraction: Fraction,
  ) {
    this.rest = text;
  }

  read(): Moment {
    const year = this.digits(4, '2006');
    this.separator('-');
    const month = this.inRange(this.digits(2, '01'), 1, 12, 'month');
    this.separator('-');
    const day = this.digits(2, '02');
    this.separator('T');
    const hour = this.inRange(this.hour(), 0, 23, 'hour');
    this.separator(':');
    const minute = this.inRange(this.digits(2, '04'), 0, 59, 'minute');
    this.separator(':');
    const second = this.inRange(this.digits(2, '05'), 0, 59, 'second');
    const nanoseconds = this.nanoseconds();
    const offset = this.zone();
    if (this.rest !== '') throw new TimeProblem(`parsing time ${quote(this.text)}: extra text: ${quote(this.rest)}`);
    this.inRange(day, 1, daysIn(year, month), 'day');
    return { seconds: utcSeconds([year, month, day, hour, minute, second]) - offset, nanoseconds };
  }

  private digits(count: number, element: string): number {
    const digits = this.rest.slice(0, count);
    if (digits.length < count || !/^\d+$/.test(digits)) this.fail(element);
    this.rest = this.rest.slice(count);
    return Number(digits);
  }

  /** Reads the hour. Only the hour may have a single digit. */
  private hour(): number {
    return this.digits(/^\d\d/.test(this.rest) ? 2 : 1, '15');
  }

  private separator(char: string): void {
    if (!this.rest.startsWith(char)) this.fail(char);
    this.rest = this.rest.slice(1);
  }

  private nanoseconds(): number {
    const match = /^[.,](\d+)/.exec(this.rest);
    if (this.fraction === 'any' && match === null) return 0;
    const digits = (match?.[1] ?? '').slice(0, this.fraction === 'any' ? undefined : this.fraction);
    if (this.fraction !== 'any' && digits.length < this.fraction) this.fail(`.${'0'.repeat(this.fraction)}`);
    this.rest = this.rest.slice(1 + digits.length);
    return Number(digits.slice(0, 9).padEnd(9, '0'));
  }

  /** Returns the zone's offset from UTC in seconds. */
  private zone(): number {
    const match = /^(?:Z|([+-])(\d\d):(\d\d))/.exec(this.rest);
    if (match === null) this.fail('Z07:00');
    this.rest = this.rest.slice(match[0].length);
    if (match[0] === 'Z') return 0;
    const hours = this.inRange(Number(match[2]), 0, 24, 'time zone offset hour');
    const minutes = this.inRange(Number(match[3]), 0, 60, 'time zone offset minute');
    return (match[1] === '-' ? -1 : 1) * (hours * 3600 + minutes * 60);
  }

  private inRange(value: number, minimum: number, maximum: number, what: string): number {
    if (value >= minimum && value <= maximum) return value;
    throw new TimeProblem(`parsing time ${quote(this.text)}: ${what} out of range`);
  }

  private fail(element: string): never {
    const fraction = this.fraction === 'any' ? '' : `.${'0'.repeat(this.fraction)}`;
    const layout = `2006-01-02T15:04:05${fraction}Z07:00`;
    throw new TimeProblem(
      `parsing time ${quote(this.text)} as "${layout}": cannot parse ${quote(this.rest)} as "${element}"`,
    );
  }
}

function daysIn(year: number, month: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month, 0);
  return date.getUTCDate();
}

function utcSeconds([year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0]: readonly number[]): number {
  const date = new Date(0);
  // Unlike Date.UTC, this does not add 1900 to years below 100.
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  return date.getTime() / 1000;
}
