/** Lengths of time, as `1h30m` or `3 days`. */

/** Nanoseconds of the units that the form without words knows. */
const nanoseconds: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};
const units = Object.keys(nanoseconds).join('|');
const compact = new RegExp(`^[-+]?(?:0|(?:(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:${units}))+)$`);
const part = new RegExp(`(\\d*)(?:\\.\\d*)?(${units})`, 'g');

/** Short and long names of units; a long name may go on (`days`, `seconds`). */
const exactNames = new Set(['ns', 'us', 'µs', 'ms', 's', 'm', 'h', 'hr', 'd', 'w', 'wk']);
const openNames = ['nano', 'micro', 'milli', 'sec', 'min', 'hour', 'day', 'week'];

/** The largest count of 64 bits with a sign. */
const maxCount = 2n ** 63n - 1n;

/**
 * A signed sequence of numbers with units, or a text in which whole numbers stand before units up to weeks, of which at
 * least one is known. What else is in such a text does not matter: `0.5 hours` has five hours.
 */
export function isDuration(text: string): boolean {
  if (isCompactDuration(text)) return true;
  const parts = [...text.matchAll(/(?<!\d)(\d+)[\t\n\f\r ]*([A-Za-zµ]+)/g)];
  return parts.every(([, digits]) => isCount(digits)) && parts.some(([, , unit = '']) => isUnit(unit.toLowerCase()));
}

/** The form without words, `1h30m`, `-1.5h` or `0`, of up to 2⁶³ nanoseconds. */
function isCompactDuration(text: string): boolean {
  if (!compact.test(text)) return false;
  let sum = text.startsWith('-') ? -1n : 0n;
  for (const [, digits = '', unit = ''] of text.matchAll(part)) {
    if (!isCount(digits, maxCount + 1n)) return false;
    sum += BigInt(digits) * (nanoseconds[unit] ?? 0n);
  }
  return sum <= maxCount;
}

/** Whether digits are a count that fits; long texts are not worth reading. */
function isCount(digits = '', most = maxCount): boolean {
  const significant = digits.replace(/^0+/, '');
  return significant.length < 20 && BigInt(significant) <= most;
}

function isUnit(unit: string): boolean {
  return exactNames.has(unit) || openNames.some((name) => unit.startsWith(name));
}
