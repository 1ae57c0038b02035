/** `format`: texts with placeholders, as in `"%d of %.2f".format([1, 2.0])`. */
import { textLimit } from '../values/bounds.js';
import { fail } from '../values/error.js';
import { entryOf } from '../values/maps.js';
import { formatDuration, formatTimestamp } from '../values/time.js';
import {
  CelMap,
  type CelValue,
  Double,
  Duration,
  isInt,
  isList,
  itemsOf,
  Timestamp,
  TypeValue,
  typeNameOf,
  Uint,
} from '../values/value.js';
import { formatDouble } from './double-text.js';

const maxPrecision = 1000;

/** Writes an argument by the letter of its placeholder. */
export type Fill = (letter: string, precision: number, value: CelValue) => string;

/** Fills the placeholders of a text, each with its argument. */
export const format = (text: string, args: readonly CelValue[]): string => fillText(text, args, fill);

/** Fills the placeholders of a text; `fill` writes the arguments. */
export function fillText(text: string, args: readonly CelValue[], fill: Fill): string {
  let out = '';
  let used = 0;
  for (let at = 0; at < text.length; ) {
    const percent = text.indexOf('%', at);
    if (percent === -1) return out + text.slice(at);
    out += text.slice(at, percent);
    if (text[percent + 1] === '%') {
      out += '%';
      at = percent + 2;
      continue;
    }
    const clause = /(?:\.(\d+))?([\s\S]?)/y;
    clause.lastIndex = percent + 1;
    const match = clause.exec(text);
    const letter = match?.[2] ?? '';
    if (letter === '') return fail('unexpected end of format string');
    const argument = args[used];
    if (argument === undefined) return fail(`index ${used} out of range`);
    const precision = match?.[1] === undefined ? 6 : Number(match[1]);
    if (precision > maxPrecision) return fail(`error during formatting: precision ${precision} is too large`);
    out += fill(letter, precision, argument);
    textLimit(out.length);
    used++;
    at = clause.lastIndex;
  }
  return out;
}

function fill(letter: string, precision: number, value: CelValue): string {
  switch (letter) {
    case 's':
      return formatValue(value, plain);
    case 'd':
      return decimal(value);
    case 'f':
      return fixed(value, precision, 'fixed-point', (number) => roundHalfEven(number, precision));
    case 'e':
      return fixed(value, precision, 'scientific', (number) =>
        number.toExponential(Math.min(precision, 100)).replace(/e([+-])(\d)$/, 'e$10$2'),
      );
    default:
      return fillWhole(letter, value);
  }
}

/** Writes a number in another base, or bytes. */
export function fillWhole(letter: string, value: CelValue): string {
  switch (letter) {
    case 'b':
      if (typeof value === 'boolean') return value ? '1' : '0';
      return whole(value)?.toString(2) ?? wrongType('only integers and bools can be formatted as binary', value);
    case 'o':
      return whole(value)?.toString(8) ?? wrongType('octal clause can only be used on integers', value);
    case 'x':
      return hexadecimal(value);
    case 'X':
      return hexadecimal(value).toUpperCase();
    default:
      return fail(`could not parse formatting clause: unrecognized formatting clause "${letter}"`);
  }
}

export function whole(value: CelValue): bigint | undefined {
  if (isInt(value)) return BigInt(value);
  return value instanceof Uint ? value.value : undefined;
}

function decimal(value: CelValue): string {
  if (value instanceof Double && !Number.isFinite(value.value)) return infinite(value.value);
  return whole(value)?.toString() ?? wrongType('decimal clause can only be used on integers', value);
}

function fixed(value: CelValue, _: number, clause: string, write: (value: number) => string): string {
  const number =
    value instanceof Double
      ? value.value
      : Number(whole(value) ?? wrongType(`${clause} clause can only be used on doubles`, value));
  return Number.isFinite(number) ? write(number) : infinite(number);
}

/** Rounds exact halves to the even digit; `toFixed` rounds them up. */
export function roundHalfEven(value: number, precision: number): string {
  const digits = Math.min(precision, 100);
  if (Math.abs(value) >= 1e21) return `${BigInt(value)}${digits === 0 ? '' : `.${'0'.repeat(digits)}`}`;
  const text = value.toFixed(digits);
  const scaled = Math.abs(value) * 10 ** digits;
  const half =
    scaled % 1 === 0.5 && Number.isSafeInteger(Math.floor(scaled)) && scaled / 10 ** digits === Math.abs(value);
  if (!half || Math.floor(scaled) % 2 !== 0) return text;
  const even = (Math.floor(scaled) / 10 ** digits).toFixed(digits);
  return value < 0 ? `-${even}` : even;
}

function hexadecimal(value: CelValue): string {
  const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value;
  if (bytes instanceof Uint8Array) return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return (
    whole(value)?.toString(16) ?? wrongType('only integers, byte buffers, and strings can be formatted as hex', value)
  );
}

/** A list or a map in progress. */
interface Open {
  readonly values: readonly CelValue[];
  /** The texts of the keys of a map. */
  readonly keys?: readonly string[];
  /** The texts of the values so far. */
  readonly texts: string[];
}

/** How to write scalars, and what to put between the key and the value of a map's entry. */
export interface ValueStyle {
  /** Returns `undefined` for other values. */
  readonly scalar: (value: CelValue) => string | undefined;
  readonly separator: string;
}

const plain: ValueStyle = { scalar: scalarText, separator: ': ' };

/**
 * Returns the text of a value, with entries of maps sorted by text. Throws an `EvaluationError` for values without a
 * text.
 */
export function formatValue(value: CelValue, style: ValueStyle): string {
  // Values may nest deeper than the stack allows.
  const open: Open[] = [];
  for (let now = value; ; ) {
    let text = style.scalar(now);
    if (text === undefined) open.push(opened(now, style));
    for (;;) {
      const top = open.at(-1);
      if (top === undefined) return text ?? '';
      if (text !== undefined) top.texts.push(text);
      const next = top.values[top.texts.length];
      if (next !== undefined) {
        now = next;
        break;
      }
      open.pop();
      text = closed(top, style);
      textLimit(text.length);
    }
  }
}

/** Returns the text of a value without parts, or `undefined` for others. */
export function scalarText(value: CelValue): string | undefined {
  if (typeof value === 'string') return value;
  if (value === null || typeof value !== 'object') return String(value);
  if (value instanceof Double) return Number.isFinite(value.value) ? formatDouble(value.value) : infinite(value.value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  if (value instanceof Timestamp) return formatTimestamp(value);
  if (value instanceof Duration) return formatDuration(value);
  return value instanceof TypeValue ? value.name : undefined;
}

/** Returns the text of NaN or an infinity. */
export const infinite = (value: number): string => (Number.isNaN(value) ? 'NaN' : value < 0 ? '-Infinity' : 'Infinity');

function opened(value: CelValue, style: ValueStyle): Open {
  if (isList(value)) return { values: itemsOf(value), texts: [] };
  if (!(value instanceof CelMap)) return wrongType(stringRule, value);
  const keys = value.keys();
  return {
    values: keys.map((key) => entryOf(value, key) ?? null),
    keys: keys.map((key) => formatValue(key, style)),
    texts: [],
  };
}

function closed({ keys, texts }: Open, { separator }: ValueStyle): string {
  if (keys === undefined) return `[${texts.join(', ')}]`;
  const entries = texts.map((text, i) => `${keys[i] ?? ''}${separator}${text}`);
  return `{${entries.sort().join(', ')}}`;
}

export const stringRule =
  'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps';

/** Ends an evaluation that formats a value of the wrong type. */
export const wrongType = (rule: string, value: CelValue): never =>
  fail(`error during formatting: ${rule}, was given ${typeNameOf(value)}`);
