/** Quantities, as `500m` or `1.5Gi`. */
import {
  addQuantities,
  compareQuantities,
  negateQuantity,
  parseQuantity,
  type Quantity,
  quantityInUnits,
} from '../../objects/scan/quantity.js';
import { bool, double, int, opaque, string } from '../check/types.js';
import type { Library } from '../environment.js';
import { fail } from '../values/error.js';
import { maxInt, minInt, toInt } from '../values/int.js';
import { type CelValue, Double, type Int, Opaque } from '../values/value.js';
import { declare, member, overload } from './declare.js';

const typeName = 'kubernetes.Quantity';
const quantity = opaque(typeName);

export const quantityLibrary: Library = {
  name: 'quantity',
  types: { [typeName]: quantity },
  functions: [
    declare('quantity', overload('string_to_quantity', [string], quantity, toQuantity)),
    declare(
      'isQuantity',
      overload('is_quantity_string', [string], bool, (text: string) => parseQuantity(text).ok),
    ),
    declare('sign', overload('quantity_sign', [quantity], int, signOf)),
    declare(
      'isGreaterThan',
      member(
        'quantity_is_greater_than',
        [quantity, quantity],
        bool,
        (a: QuantityValue, b: QuantityValue) => order(a, b) > 0,
      ),
    ),
    declare(
      'isLessThan',
      member(
        'quantity_is_less_than',
        [quantity, quantity],
        bool,
        (a: QuantityValue, b: QuantityValue) => order(a, b) < 0,
      ),
    ),
    declare('compareTo', member('quantity_compare_to', [quantity, quantity], int, order)),
    declare('asApproximateFloat', member('quantity_get_float', [quantity], double, asDouble)),
    declare(
      'asInteger',
      member(
        'quantity_get_int',
        [quantity],
        int,
        (value: QuantityValue) => asInt(value) ?? fail('cannot convert value to integer'),
      ),
    ),
    declare(
      'isInteger',
      member('quantity_is_integer', [quantity], bool, (value: QuantityValue) => asInt(value) !== undefined),
    ),
    declare(
      'add',
      member('quantity_add', [quantity, quantity], quantity, sum),
      member('quantity_add_int', [quantity, int], quantity, (a: QuantityValue, b: Int) => sum(a, wholeAmount(b))),
    ),
    declare(
      'sub',
      member('quantity_sub', [quantity, quantity], quantity, difference),
      member('quantity_sub_int', [quantity, int], quantity, (a: QuantityValue, b: Int) =>
        difference(a, wholeAmount(b)),
      ),
    ),
  ],
};

/** `sign` as a member of quantities. */
export const quantityMembersLibrary: Library = {
  name: 'quantityMembers',
  functions: [declare('sign', member('quantity_sign_member', [quantity], int, signOf))],
};

class QuantityValue extends Opaque {
  readonly typeName = typeName;

  constructor(
    readonly amount: Quantity,
    /** Whether the reference keeps the amount in 64 bits. For it only such amounts can be integers. */
    readonly isSmall: boolean,
  ) {
    super();
  }

  equals(other: CelValue): boolean {
    return other instanceof QuantityValue && compareQuantities(this.amount, other.amount) === 0;
  }
}

function toQuantity(text: string): QuantityValue {
  const parsed = parseQuantity(text);
  return parsed.ok ? new QuantityValue(parsed.value, isSmallText(text)) : fail(parsed.failure.message);
}

/** Returns whether the reference reads a quantity into 64 bits: it has few digits and, if binary, no fraction. */
function isSmallText(text: string): boolean {
  const [number = '', whole = '', fraction = ''] = /^[+-]?(\d*)(?:\.(\d*))?/.exec(text) ?? [];
  const length = Math.max(1, whole.replace(/^0+/, '').length) + fraction.length;
  const power = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].indexOf(text.slice(number.length)) + 1;
  return power === 0 ? length <= 18 : fraction === '' && length + 3 * power <= 14;
}

const wholeAmount = (value: Int): QuantityValue =>
  new QuantityValue({ digits: BigInt(value), exponent: 0, notation: 'decimal' }, true);

/** Returns the amount as an int, or `undefined` if it has a fraction as written, or does not fit. */
function asInt({ amount, isSmall }: QuantityValue): Int | undefined {
  const { digits, exponent } = amount;
  if (digits === 0n && isSmall) return 0;
  if (!isSmall || exponent < 0) return undefined;
  const whole = quantityInUnits(amount);
  return fitsInt(whole) ? toInt(whole) : undefined;
}

const fitsInt = (value: bigint): boolean => value >= minInt && value <= maxInt;

/**
 * Returns the amount as a double. As in the reference, rounds the digits and the power of ten before it multiplies
 * them.
 */
function asDouble({ amount, isSmall }: QuantityValue): Double {
  const { digits, exponent } = amount;
  if (isSmall) return new Double(exponent === 0 ? Number(digits) : Number(digits) * Number(`1e${exponent}`));
  // The reference keeps larger amounts in billionths.
  return new Double(Number(digits * 10n ** BigInt(exponent + 9)) * 1e-9);
}

const sign = (value: number): number => (value < 0 ? -1 : value > 0 ? 1 : 0);
function order(a: QuantityValue, b: QuantityValue): number {
  return sign(compareQuantities(a.amount, b.amount));
}

function sum(a: QuantityValue, b: QuantityValue): QuantityValue {
  const amount = addQuantities(a.amount, b.amount);
  return new QuantityValue(amount, a.isSmall && b.isSmall && fitsInt(amount.digits));
}

function difference(a: QuantityValue, b: QuantityValue): QuantityValue {
  return sum(a, new QuantityValue(negateQuantity(b.amount), b.isSmall));
}

function signOf({ amount }: QuantityValue): number {
  return sign(Number(amount.digits));
}
