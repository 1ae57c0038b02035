/** Functions of numbers: minimum and maximum, rounding, signs, bits. */
import { bool, double, dyn, int, list, type Type, uint } from '../check/types.js';
import type { FunctionDeclaration, Library, Overload } from '../environment.js';
import { compareNumbers, isNumeric, type Numeric } from '../values/equality.js';
import { fail } from '../values/error.js';
import { minInt, toInt } from '../values/int.js';
import { type CelList, type CelValue, Double, type Int, itemsOf, Uint } from '../values/value.js';
import { declare, overload } from './declare.js';

const numeric: readonly (readonly [string, Type])[] = [
  ['int', int],
  ['double', double],
  ['uint', uint],
];

export const mathLibrary: Library = {
  name: 'math',
  macros: ['math'],
  functions: [
    extreme('max', 1),
    extreme('min', -1),
    rounding('ceil', Math.ceil),
    rounding('floor', Math.floor),
    rounding('round', roundAway),
    rounding('trunc', Math.trunc),
    test('isInf', (value) => Math.abs(value) === Number.POSITIVE_INFINITY),
    test('isNaN', Number.isNaN),
    test('isFinite', Number.isFinite),
    declare(
      'math.abs',
      overload('math_abs_double', [double], double, ({ value }: Double) => new Double(Math.abs(value))),
      overload('math_abs_int', [int], int, (value: Int) =>
        BigInt(value) === minInt ? fail('integer overflow') : value < 0 ? toInt(-BigInt(value)) : value,
      ),
      overload('math_abs_uint', [uint], uint, (value: Uint) => value),
    ),
    declare(
      'math.sign',
      overload('math_sign_double', [double], double, ({ value }: Double) => new Double(Math.sign(value))),
      overload('math_sign_int', [int], int, (value: Int) => (value < 0 ? -1 : value > 0 ? 1 : 0)),
      overload('math_sign_uint', [uint], uint, ({ value }: Uint) => new Uint(value > 0n ? 1n : 0n)),
    ),
    declare(
      'math.sqrt',
      overload('math_sqrt_double', [double], double, ({ value }: Double) => root(value)),
      overload('math_sqrt_int', [int], double, (value: Int) => root(Number(value))),
      overload('math_sqrt_uint', [uint], double, ({ value }: Uint) => root(Number(value))),
    ),
    bits('bitAnd', (a, b) => a & b),
    bits('bitOr', (a, b) => a | b),
    bits('bitXor', (a, b) => a ^ b),
    declare(
      'math.bitNot',
      overload('math_bitNot_int_int', [int], int, (value: Int) => toInt(~BigInt(value))),
      overload('math_bitNot_uint_uint', [uint], uint, ({ value }: Uint) => new Uint(BigInt.asUintN(64, ~value))),
    ),
    shift('bitShiftLeft', (value, by) => value << by),
    shift('bitShiftRight', (value, by) => value >> by),
  ],
};

function extreme(name: 'max' | 'min', sign: 1 | -1): FunctionDeclaration {
  const better = (a: CelValue, b: CelValue): CelValue => {
    if (!isNumeric(a) || !isNumeric(b)) return fail('no such overload');
    return compareNumbers(b, a) * sign > 0 ? b : a;
  };
  const ofList = (values: CelList): CelValue => {
    const [first, ...rest] = itemsOf(values);
    if (first === undefined) return fail(`math.@${name}(list) argument must not be empty`);
    return rest.reduce<CelValue>(better, isNumeric(first) ? first : fail('no such overload'));
  };
  const overloads: Overload[] = [];
  for (const [first, type] of numeric)
    overloads.push(overload(`math_@${name}_${first}`, [type], type, (value: Numeric) => value));
  for (const [first, left] of numeric) {
    for (const [second, right] of numeric) {
      overloads.push(
        overload(`math_@${name}_${first}_${second}`, [left, right], first === second ? left : dyn, better),
      );
    }
  }
  for (const [item, type] of numeric)
    overloads.push(overload(`math_@${name}_list_${item}`, [list(type)], type, ofList));
  return declare(`math.@${name}`, ...overloads);
}

function rounding(name: string, round: (value: number) => number): FunctionDeclaration {
  return declare(
    `math.${name}`,
    overload(`math_${name}_double`, [double], double, ({ value }: Double) => new Double(round(value))),
  );
}

function test(name: string, holds: (value: number) => boolean): FunctionDeclaration {
  return declare(
    `math.${name}`,
    overload(`math_${name}_double`, [double], bool, ({ value }: Double) => holds(value)),
  );
}

/** Rounds halves away from zero. */
function roundAway(value: number): number {
  const whole = Math.trunc(value);
  return Math.abs(value - whole) >= 0.5 ? whole + Math.sign(value) : whole;
}

function bits(name: string, operate: (a: bigint, b: bigint) => bigint): FunctionDeclaration {
  return declare(
    `math.${name}`,
    overload(`math_${name}_int_int`, [int, int], int, (a: Int, b: Int) =>
      toInt(BigInt.asIntN(64, operate(BigInt(a), BigInt(b)))),
    ),
    overload(`math_${name}_uint_uint`, [uint, uint], uint, (a: Uint, b: Uint) => new Uint(operate(a.value, b.value))),
  );
}

function shift(name: string, operate: (value: bigint, by: bigint) => bigint): FunctionDeclaration {
  const by = (offset: Int): bigint => (offset < 0 ? fail(`math.${name}() negative offset: ${offset}`) : BigInt(offset));
  const unsigned = (value: bigint, offset: Int): bigint => {
    const places = by(offset);
    return places > 63n ? 0n : BigInt.asUintN(64, operate(BigInt.asUintN(64, value), places));
  };
  return declare(
    `math.${name}`,
    overload(`math_${name}_int_int`, [int, int], int, (value: Int, offset: Int) =>
      toInt(BigInt.asIntN(64, unsigned(BigInt(value), offset))),
    ),
    overload(
      `math_${name}_uint_int`,
      [uint, int],
      uint,
      ({ value }: Uint, offset: Int) => new Uint(unsigned(value, offset)),
    ),
  );
}

const root = (value: number): Double => new Double(Math.sqrt(value));
