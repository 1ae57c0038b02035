/** Amounts that are a number or a percentage of something (`25%`). */

/** The whole number of percent in a text such as `25%`; `undefined` where it is none. */
export function parsePercent(text: string): number | undefined {
  return /^-?\d{1,9}%$/.test(text) ? Number.parseInt(text, 10) : undefined;
}

/**
 * A number as it is, or a percentage's share of a total, rounded up or down to a whole number; `undefined` for a text
 * that is no percentage.
 */
export function scaledValue(value: number | string, total: number, roundUp: boolean): number | undefined {
  if (typeof value === 'number') return value;
  const percent = parsePercent(value);
  if (percent === undefined) return undefined;
  const share = (percent * total) / 100;
  return roundUp ? Math.ceil(share) : Math.floor(share);
}

/** A text as the number that it writes, where that is one of 32 bits, else as it is. */
export function parseIntOrString(text: string): number | string {
  const value = Number(text);
  return /^[-+]?\d{1,11}$/.test(text) && value === (value | 0) ? value : text;
}
