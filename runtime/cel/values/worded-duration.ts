/** Durations in words, as schemas of format `duration` take them beside `1h30m`: `3 days`, `1 week 2 hours`. */
import { parseDuration } from './time.js';
import { Duration } from './value.js';

const second = 1_000_000_000n;

/** Short names of units, and beginnings of their long ones. */
const units: readonly (readonly [nanos: bigint, names: readonly string[], beginning: string])[] = [
  [1n, ['ns'], 'nano'],
  [1000n, ['us', 'µs'], 'micro'],
  [1_000_000n, ['ms'], 'milli'],
  [second, ['s'], 'sec'],
  [60n * second, ['m'], 'min'],
  [3600n * second, ['h', 'hr'], 'hour'],
  [86_400n * second, ['d'], 'day'],
  [604_800n * second, ['w', 'wk'], 'week'],
];

/** Digits that a 64-bit count can have. */
const maxDigits = 19;

/** A duration in either form; `undefined` where no number with a known unit is in the text. */
export function parseWordedDuration(text: string): Duration | undefined {
  const compact = parseDuration(text);
  if (compact !== undefined) return compact;
  let nanos: bigint | undefined;
  for (const [, digits = '', word = ''] of text.matchAll(/(?<!\d)(\d+)\s*([A-Za-zµ]+)/g)) {
    if (digits.length > maxDigits) return undefined;
    const unit = unitOf(word.toLowerCase());
    if (unit !== undefined) nanos = (nanos ?? 0n) + BigInt(digits) * unit;
  }
  return nanos === undefined ? undefined : new Duration(BigInt.asIntN(64, nanos));
}

function unitOf(word: string): bigint | undefined {
  return units.find(([, names, beginning]) => names.includes(word) || word.startsWith(beginning))?.[0];
}
