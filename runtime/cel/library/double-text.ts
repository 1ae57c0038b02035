/** Doubles as texts, in the shortest form that reads back as the same number. */

/** Formats a double. Writes sizes from 1e6 and below 1e-4 with an exponent of at least two digits. */
export function formatDouble(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value < 0 ? '-Inf' : '+Inf';
  if (Object.is(value, -0)) return '-0';
  const size = Math.abs(value);
  if (value !== 0 && (size >= 1e6 || size < 1e-4)) {
    return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
  }
  return String(value);
}
