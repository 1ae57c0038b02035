/** The time of day to the microsecond. */
import { performance } from 'node:perf_hooks';

/** Where the finer clock began, by the clock of the day. */
let origin = performance.timeOrigin;

/** Milliseconds since the epoch, with their fraction. It follows the clock of the day when that is set anew. */
export function microClock(): number {
  const [coarse, fine] = [Date.now(), performance.now()];
  if (Math.abs(origin + fine - coarse) > 2) origin = coarse - fine;
  return origin + fine;
}

/** As in `2026-01-02T03:04:05.678901Z`. */
export function microTime(ms: number): string {
  const whole = Math.floor(ms);
  const micros = Math.floor((ms - whole) * 1000);
  if (whole !== last.ms) last = { ms: whole, text: new Date(whole).toISOString().slice(0, -1) };
  return `${last.text}${String(micros).padStart(3, '0')}Z`;
}

/** The millisecond that was asked for last: under load many events fall into one. */
let last = { ms: Number.NaN, text: '' };
