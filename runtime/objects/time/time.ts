/** Times as the API writes them: RFC 3339 in UTC, with seconds (Time) or microseconds (MicroTime). */
import type { Moment } from './time-parser.js';
import { readTime } from './time-parser.js';

/** The first and the last second that four digits of year can name. */
const firstSecond = -62167219200;
const lastSecond = 253402300799;

/** The day that was printed last: times that are printed one after the other are mostly of the same day. */
let printed = { day: 0, text: '1970-01-01T' };

/** Milliseconds since 1970 as `2006-01-02T15:04:05Z`; what is below a second is dropped. */
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

/** The day in UTC of milliseconds since 1970, as `2006-01-02`. */
export const dayOf = (milliseconds: number): string => formatTime(milliseconds).slice(0, 10);

/** Milliseconds since 1970, fractions included, as `2006-01-02T15:04:05.000000Z`. */
export function formatMicroTime(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  return formatMicro({ seconds, nanoseconds: Math.round((milliseconds - seconds * 1000) * 1e6) });
}

function formatMicro({ seconds, nanoseconds }: Moment): string {
  const micro = String(Math.floor(nanoseconds / 1000)).padStart(6, '0');
  return `${formatTime(seconds * 1000).slice(0, -1)}.${micro}Z`;
}

/** A time in any zone and precision brought into the stored form with seconds; `undefined` where it is none. */
export function parseTime(text: string): string | undefined {
  const moment = readMoment(text);
  return moment === undefined ? undefined : formatTime(moment.seconds * 1000);
}

/** The same for a time with exactly six digits of fraction. */
export function parseMicroTime(text: string): string | undefined {
  const read = readTime(text, 6);
  return read.ok && isWritable(read.value) ? formatMicro(read.value) : undefined;
}

/** Milliseconds since 1970 of a time; `undefined` where the text is none. */
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

/** Returns the problem of a text that is no time (`parsing time "x" as …`). */
export function timeProblem(text: string): string {
  const read = readTime(text, 'any');
  return read.ok ? `parsing time "${text}": year outside of range [0,9999]` : read.problem;
}

/** Returns the problem of a text that is no time with microseconds. */
export function microTimeProblem(text: string): string {
  const read = readTime(text, 6);
  return read.ok ? `parsing time "${text}": year outside of range [0,9999]` : read.problem;
}
