/** Equality of values, and their order. */

import { Later } from '../../objects/depth/later.js';
import { recursionLevels } from '../../objects/depth/levels.js';
import { fail } from './error.js';
import { compareText } from './text.js';
import {
  type CelMap,
  type CelValue,
  Double,
  Duration,
  isInt,
  isList,
  itemsOf,
  KeyedList,
  CelMap as MapBase,
  type MapKey,
  Opaque,
  Optional,
  StructValue,
  Timestamp,
  TypeValue,
  Uint,
} from './value.js';

/** Numbers of different types are equal where they are the same number; all else of different types is not. */
export const equal = (a: CelValue, b: CelValue): boolean => equalAt(a, b, 0);

const later = new Later();

function equalAt(a: CelValue, b: CelValue, level: number): boolean {
  if (typeof a === 'string' || typeof a === 'boolean' || a === null) return a === b;
  if (isNumeric(a)) return isNumeric(b) && compareNumbers(a, b) === 0;
  if (level === recursionLevels) return later.all(() => equalAt(a, b, 0));
  if (isList(a)) return isList(b) && equalLists(a, b, level + 1);
  if (a instanceof MapBase) return b instanceof MapBase && equalMaps(a, b, level + 1);
  if (a instanceof Uint8Array) return b instanceof Uint8Array && compareBytes(a, b) === 0;
  if (a instanceof Timestamp) return b instanceof Timestamp && a.nanos === b.nanos;
  if (a instanceof Duration) return b instanceof Duration && a.nanos === b.nanos;
  if (a instanceof TypeValue) return b instanceof TypeValue && a.name === b.name;
  if (a instanceof Optional) return b instanceof Optional && equalOptionals(a, b);
  if (a instanceof StructValue || a instanceof Opaque) return a.equals(b);
  return false;
}

export type Numeric = number | bigint | Double | Uint;

export function isNumeric(value: CelValue): value is Numeric {
  return isInt(value) || value instanceof Double || value instanceof Uint;
}

/**
 * Negative, 0 or positive; NaN where one is NaN. Ints and uints are exact; both are rounded where the other is a
 * double.
 */
export function compareNumbers(a: Numeric, b: Numeric): number {
  const rounded = a instanceof Double || b instanceof Double;
  const x = exactNumber(a, rounded);
  const y = exactNumber(b, rounded);
  if (x < y) return -1;
  if (x > y) return 1;
  return Number.isNaN(Number(x)) || Number.isNaN(Number(y)) ? Number.NaN : 0;
}

function exactNumber(value: Numeric, rounded: boolean): number | bigint {
  const number = value instanceof Double || value instanceof Uint ? value.value : value;
  return rounded ? Number(number) : number;
}

/** The left list says how: as a sequence, as a set, or by keys. */
function equalLists(a: CelValue, b: CelValue, level: number): boolean {
  if (!isList(a) || !isList(b)) return false;
  const left = itemsOf(a);
  const right = itemsOf(b);
  if (left.length !== right.length) return false;
  if (!(a instanceof KeyedList)) return left.every((item, i) => equalAt(item, right[i] ?? null, level));
  const byKey = new Map(left.map((item) => [a.keyOf(item), item]));
  return right.every((item) => {
    const counterpart = byKey.get(a.keyOf(item));
    return counterpart !== undefined && (a.mode === 'set' || equalAt(counterpart, item, level));
  });
}

function equalMaps(a: CelMap, b: CelMap, level: number): boolean {
  if (a.size !== b.size) return false;
  for (const key of a.keys()) {
    const name = mapKey(key);
    const left = name === undefined ? undefined : a.get(name);
    const right = name === undefined ? undefined : b.get(name);
    if (left === undefined || right === undefined || !equalAt(left, right, level)) return false;
  }
  return true;
}

function equalOptionals(a: Optional, b: Optional): boolean {
  if (a.value === undefined || b.value === undefined) return a.value === b.value;
  return equal(a.value, b.value);
}

/** A value as the key of a map: whole numbers of all types are one; `undefined` where it cannot be one. */
export function mapKey(value: CelValue): MapKey | undefined {
  if (typeof value === 'string' || typeof value === 'boolean' || isInt(value)) return value;
  if (value instanceof Uint) {
    const number = Number(value.value);
    return Number.isSafeInteger(number) ? number : value.value;
  }
  if (value instanceof Double && Number.isInteger(value.value)) {
    return Number.isSafeInteger(value.value) ? value.value + 0 : BigInt(value.value);
  }
  return undefined;
}

export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** The order of two values; NaN where one is not a number, an error where the types have none. */
export function compare(a: CelValue, b: CelValue): number {
  if (isNumeric(a) && isNumeric(b)) return compareNumbers(a, b);
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return compareBytes(a, b);
  if (a instanceof Timestamp && b instanceof Timestamp) return sign(a.nanos - b.nanos);
  if (a instanceof Duration && b instanceof Duration) return sign(a.nanos - b.nanos);
  return fail('no such overload');
}

function sign(value: bigint): number {
  return value < 0n ? -1 : value > 0n ? 1 : 0;
}
