/** Spans of time as tables show them: short, and coarser the longer they are. */

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

/** Up to which span (seconds, exclusive) which units are shown; a second unit is left out where it would be 0. */
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
 * A span in milliseconds as in `90s`, `5m10s`, `3h`, `2d4h`, `1y20d`. Clocks may differ a little: up to two seconds
 * in the future are now; more are `<invalid>`.
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

/** Time from an RFC 3339 text to `now` (milliseconds since the epoch); `<unknown>` where there is no such time. */
export function timeSince(time: unknown, now: number): string {
  const then = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  return Number.isNaN(then) ? '<unknown>' : humanDuration(now - then);
}
