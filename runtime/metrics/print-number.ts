/** Prints the bounds of buckets as the reference does: the shortest digits, with an exponent from 1e+06 on and below 1e-4. */

/** `asFloat`: whether whole numbers get a fraction. */
export function printNumber(value: number, asFloat = false): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (value !== 0 && (power < -4 || power >= 6)) {
    return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
  }
  const text = String(value);
  return asFloat && !text.includes('.') ? `${text}.0` : text;
}
