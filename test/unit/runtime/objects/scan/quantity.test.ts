import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  negateQuantity,
  parseQuantity,
  type Quantity,
  quantityInUnits,
  quantityToNumber,
} from '../../../../../runtime/objects/scan/quantity.js';
import { tableRows, tablesAbsent } from '../shared-data.js';

function quantity(text: string): Quantity {
  const parsed = parseQuantity(text);
  if (!parsed.ok) throw new Error(parsed.failure.message);
  return parsed.value;
}

function canonical(text: string): string {
  const made = canonicalQuantity(text);
  return made.ok ? made.value : made.failure.message;
}

const form = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

describe('quantities', () => {
  it.each([
    ['0', '0'],
    ['1000', '1k'],
    ['1024', '1024'],
    ['1024Ki', '1Mi'],
    ['0.5', '500m'],
    ['1.5Gi', '1536Mi'],
    ['1e3', '1e3'],
    ['1500e-3', '1500e-3'],
    ['100.35k', '100350'],
    ['0.0000000001', '1n'],
    ['-0.0000000001', '-1n'],
    ['.001Ki', '1024m'],
    ['512', '512'],
    ['1023Ki', '1023Ki'],
    ['9223372036854775807Ki', '9223372036854775807'],
    ['+1.5', '1500m'],
    ['12e1', '120'],
    ['1000E', '1e21'],
  ])('%s is %s', (text, expected) => {
    expect(canonical(text)).toBe(expected);
  });

  it.each([
    ['', form],
    ['lots', form],
    ['1 ', form],
    ['1.1.1', form],
    ['1Kb', form],
    ['1kk', "unable to parse quantity's suffix"],
    ['1ki', "unable to parse quantity's suffix"],
    ['1e', "unable to parse quantity's suffix"],
    ['Ei', 'unable to parse numeric part of quantity'],
    ['+e-10', 'unable to parse numeric part of quantity'],
    ['++5', "unable to parse quantity's suffix"],
    ['1e401', 'unable to parse numeric part of quantity'],
    ['1'.repeat(257), 'unable to parse numeric part of quantity'],
  ])('%j is refused', (text, problem) => {
    expect(canonical(text)).toBe(problem);
  });

  it.each([
    '1E3',
    '1e+3',
    '1e03',
    '+7',
    '007',
    '-04m',
    '5.',
    '5.G',
    '2.125',
    '1.234567',
    '+6Ki',
    '006Mi',
    '006.Mi',
    '99999999999Ki',
  ])('%s keeps its spelling', (text) => {
    expect(canonical(text)).toBe(text);
  });

  it.each(['+', '-', '.', '-.', 'm', '.k', 'e3', 'Ki', '.Ti'])('%s is zero', (text) => {
    expect(canonical(text)).toBe('0');
  });

  it.each([
    ['+8Ki', '8Ki'],
    ['0999999999999Ki', '999999999999Ki'],
    ['2.000', '2'],
    ['+0.500', '500m'],
    ['1.0000000000000000005', '1000000001n'],
    ['1.234500000000000000', '1234500u'],
  ])('%s is close to canonical, and becomes %s', (text, expected) => {
    expect(canonical(text)).toBe(expected);
  });

  it('are canonical after a computation', () => {
    expect(formatQuantity(negateQuantity(quantity('+7')))).toBe('-7');
    expect(formatQuantity(addQuantities(quantity('2.125'), quantity('1E3')))).toBe('1002125m');
  });

  it('compare by amount', () => {
    expect(compareQuantities(quantity('1Ki'), quantity('1024'))).toBe(0);
    expect(compareQuantities(quantity('1k'), quantity('1Ki'))).toBe(-1);
    expect(compareQuantities(quantity('-1'), quantity('-2'))).toBe(1);
  });

  it('add, keeping the first notation', () => {
    expect(formatQuantity(addQuantities(quantity('1Gi'), quantity('1024Mi')))).toBe('2Gi');
    expect(formatQuantity(addQuantities(quantity('0'), quantity('1Gi')))).toBe('1Gi');
    expect(formatQuantity(addQuantities(quantity('1'), negateQuantity(quantity('1100m'))))).toBe('-100m');
  });

  it('count units, rounded up', () => {
    expect([
      quantityInUnits(quantity('1500m')),
      quantityInUnits(quantity('-1500m')),
      quantityInUnits(quantity('1Ki')),
    ]).toEqual([2n, -2n, 1024n]);
    expect(quantityInUnits(quantity('0.0015'), -3)).toBe(2n);
    expect(quantityInUnits(quantity('2'), -3)).toBe(2000n);
  });

  it('are numbers on request', () => {
    expect(quantityToNumber(quantity('1.1Ki'))).toBe(1126.4);
    expect(quantityToNumber(quantity('500m'))).toBe(0.5);
  });

  it('stay the same when written and read again', () => {
    const suffix = fc.constantFrom(
      '',
      'n',
      'u',
      'm',
      'k',
      'M',
      'G',
      'T',
      'P',
      'E',
      'Ki',
      'Mi',
      'Gi',
      'Ti',
      'Pi',
      'Ei',
      'e3',
      'E-2',
    );
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 21n), max: 10n ** 21n }),
        fc.stringMatching(/^(\.\d{0,12})?$/),
        suffix,
        (whole, fraction, unit) => {
          const first = quantity(`${whole}${fraction}${unit}`);
          const again = quantity(formatQuantity(first));
          expect(compareQuantities(first, again)).toBe(0);
          expect(formatQuantity(again)).toBe(formatQuantity(first));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('never crash, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789.eEinumkKMGTP+-') }), (text) => {
        expect(typeof canonicalQuantity(text).ok).toBe('boolean');
      }),
    );
  });
});

describe.skipIf(tablesAbsent)('public tables', () => {
  it('TestQuantityParse', () => {
    const rows = tableRows('apimachinery_pkg_api_resource', 'TestQuantityParse');
    let good = 0;
    for (const row of rows) {
      if (typeof row.case === 'string') expect([row.case, parseQuantity(row.case).ok]).toEqual([row.case, false]);
      else if (typeof row.case === 'object') {
        const { input, expect: wanted } = Object(row.case);
        const { digits, exponent, notation } = quantity(input);
        expect([input, formatQuantity({ digits, exponent, notation })]).toEqual([input, wanted]);
        good++;
      }
    }
    expect(good).toBeGreaterThan(70);
  });

  it.each([
    ['TestQuantityParseEmit', 9],
    ['TestQuantityString', 30],
  ])('%s', (test, atLeast) => {
    const rows = tableRows('apimachinery_pkg_api_resource', test);
    let compared = 0;
    for (const row of rows) {
      const { in: input, expect: wanted } = Object(row.case);
      if (typeof input !== 'string') continue;
      expect([input, canonical(input)]).toEqual([input, wanted]);
      compared++;
    }
    expect(compared).toBeGreaterThanOrEqual(atLeast);
  });

  it('TestQuantityCmp', () => {
    const rows = tableRows('apimachinery_pkg_api_resource', 'TestQuantityCmp').filter(
      (row) => typeof Object(row.case).x === 'string',
    );
    for (const row of rows) {
      const { x, y, expect: wanted } = Object(row.case);
      expect([x, y, compareQuantities(quantity(x), quantity(y))]).toEqual([x, y, wanted]);
    }
    expect(rows.length).toBeGreaterThan(3);
  });

  it('TestStringQuantityAsApproximateFloat64', () => {
    for (const row of tableRows('apimachinery_pkg_api_resource', 'TestStringQuantityAsApproximateFloat64')) {
      const { in: input, out } = Object(row.case);
      expect([input, quantityToNumber(quantity(input))]).toEqual([input, Number(Object(out).$float ?? out)]);
    }
  });
});
