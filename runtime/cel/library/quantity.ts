/** Quantities, as `500m` or `1.5Gi`. */
import {
  addQuantities,
  compareQuantities,
  negateQuantity,
  parseQuantity,
  type Quantity,
  quantityInUnits,
  quantityToNumber,
} from '../../objects/scan/quantity.js';
import { bool, double, int, opaque, string } from '../check/types.js';
import type { Library } from '../environment.js';
import { fail } from '../values/error.js';
import { maxInt, minInt, toInt } from '../values/int.js';
import { type CelValue, Double, type Int, Opaque } from '../values/value.js';
import { declare, member, overload } from './declare.js';

const typeName = 'kubernetes.Quantity';
const quantity = opaque(typeName);

class QuantityValue extends Opaque {
  readonly typeName = typeName;

  constructor(readonly amount: Quantity) {
    super();
  }

  equals(other: CelValue): boolean {
    return other instanceof QuantityValue && compareQuantities(this.amount, other.amount) === 0;
  }
}

function toQuantity(text: string): QuantityValue {
  const parsed = parseQuantity(text);
  return parsed.ok ? new QuantityValue(parsed.value) : fail(parsed.failure.message);
}

const wholeAmount = (value: Int): Quantity => ({ digits: BigInt(value), exponent: 0, notation: 'decimal' });

/** Returns the amount as an int, or `undefined` if it has a fraction or does not fit. */
function asInt({ amount }: QuantityValue): Int | undefined {
  const whole = quantityInUnits(amount);
  if (whole < minInt || whole > maxInt) return undefined;
  return compareQuantities(amount, { digits: whole, exponent: 0, notation: 'decimal' }) === 0
    ? toInt(whole)
    : undefined;
}

const sign = (value: number): number => (value < 0 ? -1 : value > 0 ? 1 : 0);
const order = (a: QuantityValue, b: QuantityValue): number => sign(compareQuantities(a.amount, b.amount));
const sum = (a: QuantityValue, b: Quantity): QuantityValue => new QuantityValue(addQuantities(a.amount, b));

export const quantityLibrary: Library = {
  name: 'quantity',
  types: { [typeName]: quantity },
  functions: [
    declare('quantity', overload('string_to_quantity', [string], quantity, toQuantity)),
    declare(
      'isQuantity',
      overload('is_quantity_string', [string], bool, (text: string) => parseQuantity(text).ok),
    ),
    declare(
      'sign',
      member('quantity_sign', [quantity], int, ({ amount }: QuantityValue) => sign(Number(amount.digits))),
    ),
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
    declare(
      'asApproximateFloat',
      member(
        'quantity_get_float',
        [quantity],
        double,
        ({ amount }: QuantityValue) => new Double(quantityToNumber(amount)),
      ),
    ),
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
      member('quantity_add', [quantity, quantity], quantity, (a: QuantityValue, b: QuantityValue) => sum(a, b.amount)),
      member('quantity_add_int', [quantity, int], quantity, (a: QuantityValue, b: Int) => sum(a, wholeAmount(b))),
    ),
    declare(
      'sub',
      member('quantity_sub', [quantity, quantity], quantity, (a: QuantityValue, b: QuantityValue) =>
        sum(a, negateQuantity(b.amount)),
      ),
      member('quantity_sub_int', [quantity, int], quantity, (a: QuantityValue, b: Int) =>
        sum(a, negateQuantity(wholeAmount(b))),
      ),
    ),
  ],
};
