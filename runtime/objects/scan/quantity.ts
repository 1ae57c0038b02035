/** Quantities such as `500m`, `1.5Gi` and `2e3`: exact values with their notation. */
import type { Result } from '../../contract/index.js';
import { badRequest } from '../failures.js';
import { withoutLeading } from './numbers.js';

/** The notation of a quantity: decimal suffixes (`k`), binary ones (`Ki`), or exponents (`e3`). */
export type QuantityNotation = 'decimal' | 'binary' | 'exponent';

/** An exact amount: `digits` × 10^`exponent`. Never finer than 10^-9. */
export interface Quantity {
  readonly digits: bigint;
  /** -9 or more. */
  readonly exponent: number;
  readonly notation: QuantityNotation;
  /** The original text, if clients get it back. */
  readonly written?: string;
}

/** The problem of a text that is not written as a quantity. */
export const quantityFormProblem =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const numberProblem = 'unable to parse numeric part of quantity';
const suffixProblem = "unable to parse quantity's suffix";

const finest = -9;
const largestBinary = 2n ** 63n - 1n;
/** Refuses longer texts and larger exponents. No resource has such amounts, and computing with them would take long. */
const maxLength = 256;
const maxExponent = 400;

/** Sign, digits, fraction and suffix. A suffix cannot be digits alone, because these belong to the number. */
const form = /^([+-]?)(\d*)(?:\.(\d*))?((?:[eEinumkKMGTP]+[-+]?|[-+])\d*|)$/;

const decimalSuffixes: ReadonlyMap<string, number> = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/**
 * Reads a quantity. Rounds parts of a billionth up, away from zero. Limits binary quantities to 2^63-1. Some suffixes
 * without digits count as zero.
 */
export function parseQuantity(text: string): Result<Quantity> {
  if (text.length > maxLength) return refuse(numberProblem);
  const match = form.exec(text);
  if (match === null || text === '') return refuse(quantityFormProblem);
  const [, sign, digitsBefore = '', fraction = '', suffix = ''] = match;
  const whole = withoutLeading(digitsBefore, '0');
  const unit = readSuffix(suffix);
  if (unit === undefined) return refuse(suffixProblem);
  if (digitsBefore + fraction === '' && !isZeroUnit(unit)) return refuse(numberProblem);
  if (Math.abs(unit.exponent) > maxExponent) return refuse(numberProblem);
  const digits = BigInt(whole + fraction) * unit.factor;
  const amount = roundUp(digits, unit.exponent - fraction.length);
  const capped = unit.notation === 'binary' ? capBinary(amount) : amount;
  const signed = sign === '-' ? -capped.digits : capped.digits;
  const notation = unit.notation === 'binary' && isBelowOne(capped) ? 'decimal' : unit.notation;
  const value = { digits: signed, exponent: capped.exponent, notation };
  return { ok: true, value: staysWritten(whole, fraction, unit) ? { ...value, written: text } : value };
}

/** Returns whether a suffix without digits counts as zero. Other suffixes need a number. */
const isZeroUnit = ({ notation, exponent, power }: Unit): boolean =>
  notation === 'binary' ? power <= 4 : exponent >= finest;

/**
 * Returns whether clients get a quantity back as they wrote it. Clients do if it has up to 18 digits and looks
 * canonical, so a sign, an upper case `E` and thousandths such as `1.500` stay.
 */
function staysWritten(whole: string, fraction: string, { notation, exponent, power }: Unit): boolean {
  // A number that is not divisible by 8 has no larger suffix. Does not examine other numbers.
  if (notation === 'binary') return fraction === '' && whole.length + 3 * power <= 14 && Number(whole) % 8 !== 0;
  const [digits, scale] = [whole + fraction, exponent - fraction.length];
  const first = whole === '' ? '0' : whole.charAt(0);
  return digits.length <= 18 && first !== '0' && !digits.endsWith('000') && scale >= finest && scale % 3 === 0;
}

function refuse(message: string): Result<Quantity> {
  return { ok: false, failure: badRequest(message) };
}

interface Unit {
  readonly factor: bigint;
  readonly exponent: number;
  readonly notation: QuantityNotation;
  /** The power of 1024 of a binary unit, 0 for others. */
  readonly power: number;
}

function readSuffix(suffix: string): Unit | undefined {
  const power = binarySuffixes.indexOf(suffix);
  if (power > 0) return { factor: 1024n ** BigInt(power), exponent: 0, notation: 'binary', power };
  const exponent = decimalSuffixes.get(suffix);
  if (exponent !== undefined) return { factor: 1n, exponent, notation: 'decimal', power: 0 };
  const scientific = /^[eE]([-+]?\d{1,9})$/.exec(suffix);
  if (scientific === null) return undefined;
  return { factor: 1n, exponent: Number(scientific[1]), notation: 'exponent', power: 0 };
}

interface Amount {
  readonly digits: bigint;
  readonly exponent: number;
}

function roundUp(digits: bigint, exponent: number): Amount {
  if (exponent >= finest) return { digits, exponent };
  const divisor = 10n ** BigInt(finest - exponent);
  return { digits: (digits + divisor - 1n) / divisor, exponent: finest };
}

function capBinary(amount: Amount): Amount {
  const largest = { digits: largestBinary, exponent: 0 };
  return compareQuantities(amount, largest) > 0 ? largest : amount;
}

function isBelowOne(amount: Amount): boolean {
  return amount.digits > 0n && compareQuantities(amount, { digits: 1n, exponent: 0 }) < 0;
}

/** Compares amounts in any notation. Returns a negative number, zero or a positive number. */
export function compareQuantities(a: Amount, b: Amount): number {
  const exponent = Math.min(a.exponent, b.exponent);
  const left = a.digits * 10n ** BigInt(a.exponent - exponent);
  const right = b.digits * 10n ** BigInt(b.exponent - exponent);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Adds quantities. The sum has the notation of the first one, unless that is zero. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  const exponent = Math.min(a.exponent, b.exponent);
  const digits = a.digits * 10n ** BigInt(a.exponent - exponent) + b.digits * 10n ** BigInt(b.exponent - exponent);
  return { digits, exponent, notation: a.digits === 0n ? b.notation : a.notation };
}

/** Returns the same amount with the opposite sign. */
export function negateQuantity({ digits, exponent, notation }: Quantity): Quantity {
  return { digits: -digits, exponent, notation };
}

/** Returns the amount in units of 10^`exponent`, rounded up away from zero; 0 for whole units, -3 for thousandths. */
export function quantityInUnits(quantity: Quantity, exponent = 0): bigint {
  const shift = quantity.exponent - exponent;
  if (shift >= 0) return quantity.digits * 10n ** BigInt(shift);
  const divisor = 10n ** BigInt(-shift);
  const { digits } = quantity;
  return digits < 0n ? (digits - divisor + 1n) / divisor : (digits + divisor - 1n) / divisor;
}

/** Returns the amount as the nearest JavaScript number. */
export function quantityToNumber({ digits, exponent }: Quantity): number {
  return Number(`${digits}e${exponent}`);
}

/**
 * Returns the original text if clients get it back. Otherwise returns the canonical text: exact digits without a
 * fraction, and the largest suffix that allows this.
 */
export function formatQuantity(quantity: Quantity): string {
  if (quantity.written !== undefined) return quantity.written;
  if (quantity.digits === 0n) return '0';
  return quantity.notation === 'binary' ? formatBinary(quantity) : formatDecimal(quantity);
}

function formatBinary(quantity: Quantity): string {
  const magnitude = quantity.digits < 0n ? -quantity.digits : quantity.digits;
  const whole = quantity.exponent >= 0 || magnitude % 10n ** BigInt(-quantity.exponent) === 0n;
  let value = quantityInUnits(quantity);
  // Amounts that are small or fractional get decimal notation, which loses nothing.
  if (!whole || (value > -1024n && value < 1024n)) return formatDecimal({ ...quantity, notation: 'decimal' });
  let power = 0;
  while (value % 1024n === 0n && power < binarySuffixes.length - 1) {
    value /= 1024n;
    power++;
  }
  return `${value}${binarySuffixes[power]}`;
}

function formatDecimal({ digits, exponent, notation }: Quantity): string {
  let value = digits;
  let power = exponent;
  while (value % 10n === 0n) {
    value /= 10n;
    power++;
  }
  while (power % 3 !== 0) {
    value *= 10n;
    power--;
  }
  if (notation === 'exponent') return power === 0 ? `${value}` : `${value}e${power}`;
  const suffix = [...decimalSuffixes].find(([, size]) => size === power)?.[0];
  return suffix === undefined ? `${value}e${power}` : `${value}${suffix}`;
}

/** Returns the stored text of a quantity, or why the text is not a quantity. */
export function canonicalQuantity(text: string): Result<string> {
  const parsed = parseQuantity(text);
  return parsed.ok ? { ok: true, value: formatQuantity(parsed.value) } : parsed;
}
