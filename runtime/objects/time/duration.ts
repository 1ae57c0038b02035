/** Durations as Go writes them: `1h2m3.5s`. */

const nanosecond = 1n;
const microsecond = 1000n;
const millisecond = 1_000_000n;
const second = 1_000_000_000n;
const minute = 60n * second;
const hour = 60n * minute;

const units: ReadonlyMap<string, bigint> = new Map([
  ['ns', nanosecond],
  ['us', microsecond],
  ['\u00b5s', microsecond],
  ['\u03bcs', microsecond],
  ['ms', millisecond],
  ['s', second],
  ['m', minute],
  ['h', hour],
]);

const longest = 2n ** 63n;

/** Nanoseconds of a duration such as `-1.5h` or `1m30s`; `undefined` where the text is none or beyond 64 bits. */
export function parseDuration(text: string): bigint | undefined {
  const match = /^([-+]?)(.*)$/s.exec(text);
  const negative = match?.[1] === '-';
  const body = match?.[2] ?? '';
  if (body === '0') return 0n;
  if (body === '') return undefined;
  let total = 0n;
  let at = 0;
  const part = /(\d*)(?:\.(\d*))?(ns|us|\u00b5s|\u03bcs|ms|s|m|h)/y;
  while (at < body.length) {
    part.lastIndex = at;
    const found = part.exec(body);
    const amount = found === null ? undefined : nanosecondsOf(found[1] ?? '', found[2] ?? '', found[3] ?? '');
    if (found === null || amount === undefined) return undefined;
    total += amount;
    if (total > longest) return undefined;
    at += found[0].length;
  }
  if (negative) return -total;
  return total === longest ? undefined : total;
}

function nanosecondsOf(whole: string, fraction: string, unit: string): bigint | undefined {
  const size = units.get(unit);
  if (size === undefined || (whole === '' && fraction === '') || whole.length > 19) return undefined;
  // More digits than these are below a nanosecond for every unit.
  const digits = fraction.slice(0, 18);
  return (
    BigInt(whole === '' ? 0 : whole) * size + (BigInt(digits === '' ? 0 : digits) * size) / 10n ** BigInt(digits.length)
  );
}

/** Why a text is no duration, in the words of Go; `undefined` where it is one. */
export function durationProblem(text: string): string | undefined {
  if (parseDuration(text) !== undefined) return undefined;
  const quoted = JSON.stringify(text);
  // Parts with units that there are, as far as they go; the rest says what is wrong.
  const [, rest = ''] =
    /^[-+]?(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|\u00b5s|\u03bcs|ms|s|m|h)(?=[\d.]|$))*(.*)$/s.exec(text) ?? [];
  const [, unit] = /^(?:\d+\.?\d*|\.\d+)([^\d.]*)/s.exec(rest) ?? [];
  if (unit === undefined) return `time: invalid duration ${quoted}`;
  if (unit === '') return `time: missing unit in duration ${quoted}`;
  return units.has(unit)
    ? `time: invalid duration ${quoted}`
    : `time: unknown unit ${JSON.stringify(unit)} in duration ${quoted}`;
}

/** A duration of nanoseconds in its canonical form: `1h0m0s`, `1.5s`, `250ms`, `0s`. */
export function formatDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return '0s';
  const sign = nanoseconds < 0n ? '-' : '';
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  if (size < microsecond) return `${sign}${size}ns`;
  if (size < millisecond) return `${sign}${decimal(size, microsecond)}\u00b5s`;
  if (size < second) return `${sign}${decimal(size, millisecond)}ms`;
  const seconds = `${decimal(size % minute, second)}s`;
  if (size < minute) return sign + seconds;
  const minutes = `${(size / minute) % 60n}m${seconds}`;
  return size < hour ? sign + minutes : `${sign}${size / hour}h${minutes}`;
}

function decimal(size: bigint, unit: bigint): string {
  const fraction = String(size % unit)
    .padStart(String(unit).length - 1, '0')
    .replace(/0+$/, '');
  return fraction === '' ? String(size / unit) : `${size / unit}.${fraction}`;
}
