/** `format` as Kubernetes has it: values in lists and maps look like literals of the language. */
import { quote } from '../../objects/printing.js';
import { fail } from '../values/error.js';
import { formatDuration, formatTimestamp } from '../values/time.js';
import { type CelValue, Double, Duration, Timestamp } from '../values/value.js';
import { formatDouble } from './double-text.js';
import {
  fillText,
  fillWhole,
  formatValue,
  infinite,
  roundHalfEven,
  scalarText,
  type ValueStyle,
  whole,
  wrongType,
} from './format-text.js';

/** Fills the placeholders of a text, each with its argument. */
export const earlyFormat = (text: string, args: readonly CelValue[]): string => fillText(text, args, fill);

function fill(letter: string, precision: number, value: CelValue): string {
  switch (letter) {
    case 's':
      return textOf(value);
    case 'd':
      return whole(value)?.toString() ?? wrongType('decimal clause can only be used on integers', value);
    case 'f':
      return numberText(value, 'fixed-point', (number) => grouped(roundHalfEven(number, precision)));
    case 'e':
      // The reference takes the precision as a width, which has no effect on usual numbers.
      return numberText(value, 'scientific', (number) => scientific(number.toExponential(6)));
    default:
      return fillWhole(letter, value);
  }
}

/** Returns the text of an argument. */
function textOf(value: CelValue): string {
  if (value instanceof Double) return formatDouble(value.value);
  return scalarText(value) ?? formatValue(value, literals);
}

const literals: ValueStyle = { scalar: literalOf, separator: ':' };

/** Returns a scalar as a literal, or `undefined` for other values. Writes doubles with six digits after the point. */
function literalOf(value: CelValue): string | undefined {
  if (typeof value === 'string') return quote(value);
  if (value instanceof Uint8Array) return `b${quote(scalarText(value) ?? '')}`;
  if (value instanceof Timestamp) return `timestamp(${quote(formatTimestamp(value))})`;
  if (value instanceof Duration) return `duration(${quote(formatDuration(value))})`;
  if (value instanceof Double) {
    return Number.isFinite(value.value) ? roundHalfEven(value.value, 6) : quote(formatDouble(value.value));
  }
  return scalarText(value);
}

const namedNumbers: ReadonlyMap<string, number> = new Map([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]);

/** Writes a double as English does. Texts such as `NaN` count as doubles. */
function numberText(value: CelValue, clause: string, write: (value: number) => string): string {
  const number =
    value instanceof Double ? value.value : typeof value === 'string' ? namedNumbers.get(value) : undefined;
  if (number === undefined) return wrongType(`${clause} clause can only be used on doubles`, value);
  return Number.isFinite(number) ? write(number) : infinite(number).replace('Infinity', '∞');
}

/** Separates groups of three digits. */
function grouped(text: string): string {
  const [whole = ''] = /^-?\d*/.exec(text) ?? [];
  const first = whole.startsWith('-') ? 1 : 0;
  const groups: string[] = [];
  for (let end = whole.length; end > first; end -= 3) groups.push(whole.slice(Math.max(first, end - 3), end));
  return whole.slice(0, first) + groups.reverse().join(',') + text.slice(whole.length);
}

const raised: Readonly<Record<string, string>> = {
  '-': '⁻',
  '0': '⁰',
  '1': '¹',
  '2': '²',
  '3': '³',
  '4': '⁴',
  '5': '⁵',
  '6': '⁶',
  '7': '⁷',
  '8': '⁸',
  '9': '⁹',
};

/** Writes `1.5e+2` as a product with a power of ten. */
function scientific(text: string): string {
  const [digits = '', exponent = ''] = text.split('e');
  const [, sign = '', size = ''] = /^[+]?(-?)(\d+)$/.exec(exponent) ?? fail('no such overload');
  const power = Array.from(sign + size.padStart(2, '0'), (char) => raised[char] ?? '').join('');
  return `${digits}×10${power}`;
}
