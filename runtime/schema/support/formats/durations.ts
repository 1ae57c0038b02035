/** Lengths of time, as `1h30m` or `3 days`. */

const units = ['ns', 'us', 'µs', 'μs', 'ms', 's', 'm', 'h'].join('|');
const compact = new RegExp(`^[-+]?(?:0|(?:(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:${units}))+)$`);

/** Short and long names of units; a long name may go on (`days`, `seconds`). */
const exactNames = new Set(['ns', 'us', 'µs', 'ms', 's', 'm', 'h', 'hr', 'd', 'w', 'wk']);
const openNames = ['nano', 'micro', 'milli', 'sec', 'min', 'hour', 'day', 'week'];

/** Digits that a 64-bit count can have. */
const maxDigits = 19;

/**
 * A signed sequence of numbers with units, or a text in which whole numbers stand before units up to weeks, of which at
 * least one is known. What else is in such a text does not matter: `0.5 hours` has five hours.
 */
export function isDuration(text: string): boolean {
  if (isCompactDuration(text)) return true;
  const parts = [...text.matchAll(/(?<!\d)(\d+)\s*([A-Za-zµ]+)/g)];
  if (parts.some(([, digits = '']) => digits.replace(/^0+/, '').length > maxDigits)) return false;
  return parts.some(([, , unit = '']) => isUnit(unit.toLowerCase()));
}

/** The form without words: `1h30m`, `-1.5h`, `0`. */
export function isCompactDuration(text: string): boolean {
  return compact.test(text);
}

function isUnit(unit: string): boolean {
  return exactNames.has(unit) || openNames.some((name) => unit.startsWith(name));
}
