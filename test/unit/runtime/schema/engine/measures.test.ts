/** Counts and comparisons of keywords. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { equal } from '../../../../../runtime/objects/equality.js';
import { allDiffer, isLonger, isMultiple, isOneOf, isShorter } from '../../../../../runtime/schema/engine/measures.js';
import { identity, isInt64, typeName, type Value } from '../../../../../runtime/schema/engine/value.js';
import { arbitraryJson } from '../../../../support/arbitrary-objects.js';

describe('lengths of texts', () => {
  it('are counted in code points', () => {
    const property = fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), (text, bound) => {
      expect(isLonger(text, bound)).toBe([...text].length > bound);
      expect(isShorter(text, bound)).toBe([...text].length < bound);
    });
    fc.assert(property, { seed: 12, numRuns: 1000 });
    expect(isLonger('😀😀', 2)).toBe(false);
    expect(isShorter('😀😀', 3)).toBe(true);
  });
});

describe('multiples', () => {
  it.each([
    [9007199254740993n, 3, true],
    [9007199254740993n, 2, false],
    [-6, 3, true],
    [0, 7, true],
    [7, 2, false],
    [0.3, 0.1, true],
    [1.1, 0.1, true],
    // Rounding errors below a whole number stay, as in the reference.
    [19.99, 0.01, false],
    [0.35, 0.1, false],
    [1.5, 1, false],
    [1e300, 0.5, false],
    [9007199254740993n, 0.5, true],
    [9007199254740993n, 0.1, true],
    [9007199254740992n, 0.3, false],
    [9007199254740990n, 0.3, true],
    [9007199254740991, 0.75, false],
    [9007199254740993n, 1e-7, true],
    [1e300, 2, false],
    [1e18, 2, false],
    [10n ** 18n, 2, true],
    [-(2n ** 63n), 2 ** 62, true],
    [2n ** 63n - 1n, 2 ** 62, false],
    [0.07, 0.01, true],
    [-0.07, 0.01, false],
    [-0.3, 0.1, true],
    [4.0000000001, 2, true],
    [3.9999999999, 2, false],
    [1e-10, 1, false],
    [0.1, 1e-320, false],
    // Integers are divided by an integer, so a factor loses its fraction.
    [4, 2.5, true],
    [5, 2.5, false],
    [7.5, 2.5, true],
    [3, 0.1, true],
    [-0, 3, true],
    // A schema with a factor that is not positive is refused, but its default is still checked.
    [0, 0, false],
    [9007199254740993n, 0, false],
    [4, -2, false],
  ])('%d of %d: %s', (value, factor, expected) => expect(isMultiple(value, factor)).toBe(expected));
});

describe('types of values', () => {
  const named: [Value, string][] = [
    [null, 'null'],
    [undefined, 'null'],
    [true, 'boolean'],
    ['', 'string'],
    [1, 'integer'],
    [2n ** 63n - 1n, 'integer'],
    [2n ** 63n, 'number'],
    [1.5, 'number'],
    [1e30, 'number'],
    [[], 'array'],
    [{}, 'object'],
  ];

  it.each(named)('%s: %s', (value, name) => expect(typeName(value)).toBe(name));

  it('know the bounds of 64 bits', () => {
    expect([2n ** 63n - 1n, -(2n ** 63n), 0, -1].every(isInt64)).toBe(true);
    expect([2n ** 63n, -(2n ** 63n) - 1n, 0.5, 2 ** 60, '1', null].some(isInt64)).toBe(false);
  });
});

describe('equality by text', () => {
  const value = arbitraryJson(['a', 'b', '"', '1', 'null']);

  it('is equality of values', () => {
    const property = fc.property(value, value, (a, b) => {
      expect(identity(a) === identity(b)).toBe(equal(a, b));
      expect(identity(a)).toBe(identity(structuredClone(a)));
    });
    fc.assert(property, { seed: 13, numRuns: 2000 });
    expect(identity({ a: 1, b: [2] })).toBe(identity({ b: [2], a: 1 }));
    expect(identity(1n)).toBe(identity(1));
  });

  it('finds repeats in lists', () => {
    expect(allDiffer([1, '1', [1], { a: 1 }, null, true, 'true'])).toBe(true);
    expect(
      allDiffer([
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ]),
    ).toBe(false);
  });

  it('never finds a null among values', () => {
    expect(isOneOf([null, 1], null)).toBe(false);
    expect(isOneOf([{ a: [1] }], { a: [1n] })).toBe(true);
  });
});
