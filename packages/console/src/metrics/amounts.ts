/** Writes amounts as people read them. */

/** Returns bytes in units of 1024, as in `12.5 MiB`. */
export function bytesText(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let [value, at] = [bytes, 0];
  while (value >= 1024 && at < units.length - 1) {
    value /= 1024;
    at++;
  }
  return `${round(value)} ${units[at]}`;
}

/** Returns a time, given in seconds, as in `3.2 ms`. */
export const secondsText = (seconds: number): string =>
  seconds === 0
    ? '0 ms'
    : seconds < 0.001
      ? `${round(seconds * 1e6)} µs`
      : seconds < 1
        ? `${round(seconds * 1e3)} ms`
        : `${round(seconds)} s`;

/** Returns a number with separators between thousands. */
export const countText = (count: number): string => Math.round(count).toLocaleString('en');

/** Rounds to three digits. */
export const round = (value: number): string =>
  value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
