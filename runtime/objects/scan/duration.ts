/** Durations as Go writes them, `1h2m3.5s`, and in words, `3 days`. */
import { digitsEnd, withoutLeading, withoutTrailing } from './numbers.js';

const nanosecond = 1n;
const microsecond = 1000n;
const millisecond = 1_000_000n;
const second = 1_000_000_000n;
const minute = 60n * second;
const hour = 60n * minute;
const day = 24n * hour;

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

/** The most digits of a count within 64 bits. */
const maxDigits = 19;

/** The most digits of a fraction that count. Further digits are below a nanosecond for every unit. */
const maxFraction = 18;

/**
 * Returns the nanoseconds of a duration such as `-1.5h` or `1m30s`, or `undefined` for other texts and beyond 64 bits.
 */
export function parseDuration(text: string): bigint | undefined {
  const read = readDuration(text);
  return typeof read === 'bigint' ? read : undefined;
}

/** Returns why a text is not a duration, in the words of Go; `undefined` if it is one. */
export function durationProblem(text: string): string | undefined {
  const read = readDuration(text);
  return typeof read === 'bigint' ? undefined : `time: ${read.problem} duration ${JSON.stringify(text)}`;
}

interface Refused {
  readonly problem: string;
}

const invalid: Refused = { problem: 'invalid' };

/** Reads numbers with their units. Reports a wrong unit rather than a number that is too large. */
function readDuration(text: string): bigint | Refused {
  let at = text.startsWith('-') || text.startsWith('+') ? 1 : 0;
  if (at === text.length) return invalid;
  if (at === text.length - 1 && text.endsWith('0')) return 0n;
  let total = 0n;
  while (at < text.length) {
    const wholeEnd = digitsEnd(text, at);
    const hasFraction = text.charAt(wholeEnd) === '.';
    const end = hasFraction ? digitsEnd(text, wholeEnd + 1) : wholeEnd;
    if (end - at === (hasFraction ? 1 : 0)) return invalid;
    const unitEnd = endOfUnit(text, end);
    const unit = text.slice(end, unitEnd);
    const size = units.get(unit);
    if (size === undefined)
      return { problem: unit === '' ? 'missing unit in' : `unknown unit ${JSON.stringify(unit)} in` };
    if (total <= longest) total += amountOf(text.slice(at, wholeEnd), text.slice(wholeEnd + 1, end), size);
    at = unitEnd;
  }
  if (total > longest) return invalid;
  if (text.startsWith('-')) return -total;
  return total === longest ? invalid : total;
}

/** Returns the end of a unit, which is the start of the next number. */
function endOfUnit(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charAt(at) !== '.' && digitsEnd(text, at) === at) at++;
  return at;
}

/** Returns a number with a fraction in nanoseconds. If it is too large, returns more than the longest duration. */
function amountOf(whole: string, fraction: string, size: bigint): bigint {
  const count = countOf(whole);
  const digits = fraction.slice(0, maxFraction);
  return count === undefined ? longest + 1n : count * size + (BigInt(digits) * size) / 10n ** BigInt(digits.length);
}

/** Returns the number of some digits (0 for no digits), or `undefined` beyond 64 bits. */
function countOf(digits: string): bigint | undefined {
  const significant = withoutLeading(digits, '0');
  return significant.length > maxDigits ? undefined : BigInt(significant);
}

/** The units of durations in words: their short names, and how their long names begin. */
const wordedUnits: readonly (readonly [nanoseconds: bigint, names: readonly string[], beginning: string])[] = [
  [nanosecond, ['ns'], 'nano'],
  [microsecond, ['us', '\u00b5s'], 'micro'],
  [millisecond, ['ms'], 'milli'],
  [second, ['s'], 'sec'],
  [minute, ['m'], 'min'],
  [hour, ['h', 'hr'], 'hour'],
  [day, ['d'], 'day'],
  [7n * day, ['w', 'wk'], 'week'],
];

/**
 * Returns the nanoseconds of a text of the format `duration`: a text that `parseDuration` reads, or whole numbers
 * before units up to weeks, with at least one known unit (`1 week 2 hours`). Ignores other words in such a text: `0.5
 * hours` is five hours. The sum wraps around at 64 bits, as in Go. Returns `undefined` for other texts.
 */
export function parseWordedDuration(text: string): bigint | undefined {
  const compact = parseDuration(text);
  if (compact !== undefined) return compact;
  let sum: bigint | undefined;
  for (const [, digits = '', word = ''] of text.matchAll(/(?<!\d)(\d+)[\t\n\f\r ]*([A-Za-z\u00b5]+)/g)) {
    const count = countOf(digits);
    if (count === undefined || count >= longest) return undefined;
    const unit = wordedUnit(word.toLowerCase());
    if (unit !== undefined) sum = (sum ?? 0n) + count * unit;
  }
  return sum === undefined ? undefined : BigInt.asIntN(64, sum);
}

function wordedUnit(word: string): bigint | undefined {
  return wordedUnits.find(([, names, beginning]) => names.includes(word) || word.startsWith(beginning))?.[0];
}

/** Returns a duration in nanoseconds in canonical form: `1h0m0s`, `1.5s`, `250ms`, `0s`. */
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
  const fraction = withoutTrailing(String(size % unit).padStart(String(unit).length - 1, '0'), '0');
  return fraction === '' ? String(size / unit) : `${size / unit}.${fraction}`;
}
