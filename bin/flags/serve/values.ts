/** Readers of values that several flags of `kindforge serve` share. */
import { parseDuration } from '../../../runtime/objects/scan/duration.js';
import { readTime as readAnyTime } from '../../../server/text/durations.js';
import { readCount, readSize } from '../../../server/text/limits.js';
import { mustBe, type Read } from '../flag.js';

/** Reads a whole number up to a thousand million. */
export const count =
  (least = 1) =>
  (text: string): Read<number> =>
    readCount(text, least);

/** Reads a number of bytes between two others, as in `64Ki`. */
export const size =
  (least: string, most: string) =>
  (text: string): Read<number> =>
    readSize(text, least, most);

/** Reads a duration up to a day, in milliseconds. */
export const readTime = (text: string): Read<number> => readAnyTime(text);

export const readFile = (text: string): Read<string> => named(text, 'the path of a file');

export const readFolder = (text: string): Read<string> => named(text, 'the path of a folder');

export const named = (text: string, rule: string): Read<string> =>
  text === '' ? mustBe(text, rule) : { ok: true, value: text };

/** Reads a whole number of up to 15 digits. */
export const whole =
  (least = 0) =>
  (text: string): Read<number> =>
    /^\d{1,15}$/.test(text) && Number(text) >= least
      ? { ok: true, value: Number(text) }
      : mustBe(text, `a whole number from ${least} up`);

/** Reads a duration of any length, in milliseconds. */
export function readDuration(text: string): Read<number> {
  const nanoseconds = parseDuration(text);
  if (nanoseconds !== undefined && nanoseconds >= 0n) return { ok: true, value: Number(nanoseconds / 1_000_000n) };
  return mustBe(text, 'a duration: a number and a unit, such as 30s');
}

/** Reads a number of events in a second. */
export function readRate(text: string): Read<number> {
  const perSecond = Number(text || Number.NaN);
  return perSecond >= 0 && perSecond <= 1e9 ? { ok: true, value: perSecond } : mustBe(text, 'a number from 0 up');
}
