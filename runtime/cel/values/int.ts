/** Whole numbers of 64 bits: exact, with an error if a result does not fit. */
import { fail } from './error.js';
import type { Int } from './value.js';

export const minInt = -(2n ** 63n);
export const maxInt = 2n ** 63n - 1n;
export const maxUint = 2n ** 64n - 1n;

/** Returns an int in its only form: a number if it is safe, else a bigint. */
export function toInt(value: bigint): Int {
  if (value < minInt || value > maxInt) return fail('integer overflow');
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

export function addInt(a: Int, b: Int): Int {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return toInt(BigInt(a) + BigInt(b));
}

export function subtractInt(a: Int, b: Int): Int {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return toInt(BigInt(a) - BigInt(b));
}

export function multiplyInt(a: Int, b: Int): Int {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    if (Number.isSafeInteger(product)) return product + 0;
  }
  return toInt(BigInt(a) * BigInt(b));
}

/** Returns the quotient, rounded toward zero. */
export function divideInt(a: Int, b: Int): Int {
  if (b === 0) return fail('division by zero');
  if (typeof a === 'number' && typeof b === 'number') return Math.trunc(a / b) + 0;
  return toInt(BigInt(a) / BigInt(b));
}

/** Returns the remainder, with the sign of the dividend. */
export function moduloInt(a: Int, b: Int): Int {
  if (b === 0) return fail('modulus by zero');
  if (typeof a === 'number' && typeof b === 'number') return (a % b) + 0;
  if (BigInt(a) === minInt && b === -1) return fail('integer overflow');
  return toInt(BigInt(a) % BigInt(b));
}

export function negateInt(a: Int): Int {
  return typeof a === 'number' ? 0 - a : toInt(-a);
}

/** Returns a uint. Throws an error if it does not fit. */
export function checkUint(value: bigint): bigint {
  return value < 0n || value > maxUint ? fail('unsigned integer overflow') : value;
}
