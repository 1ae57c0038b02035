import { describe, expect, it } from 'vitest';
import { parseIntOrString, parsePercent, scaledValue } from '../../../../runtime/objects/guards.js';
import { tableRows, tablesAbsent } from './shared-data.js';

describe('numbers or percentages', () => {
  it('are a share of a total', () => {
    expect(scaledValue('90%', 95, true)).toBe(86);
    expect(scaledValue('90%', 95, false)).toBe(85);
    expect(scaledValue(7, 95, true)).toBe(7);
    expect([scaledValue('90', 95, true), scaledValue('9.5%', 95, true), scaledValue('', 95, true)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(parsePercent('-5%')).toBe(-5);
  });

  it('are numbers if they fit 32 bits', () => {
    expect(['0', '-2147483648', '2147483648', '1.5', 'x', ''].map(parseIntOrString)).toEqual([
      0,
      -2147483648,
      '2147483648',
      '1.5',
      'x',
      '',
    ]);
  });
});

describe.skipIf(tablesAbsent)('public tables', () => {
  it('TestGetIntFromIntOrPercent', () => {
    const rows = tableRows('apimachinery_pkg_util_intstr', 'TestGetIntFromIntOrPercent');
    for (const row of rows) {
      const { input, total, roundUp, expectVal, expectErr } = Object(row.case);
      expect([input, scaledValue(input, total, roundUp)]).toEqual([input, expectErr ? undefined : expectVal]);
    }
    expect(rows).toHaveLength(8);
  });

  it('TestGetIntFromIntOrString', () => {
    for (const row of tableRows('apimachinery_pkg_util_intstr', 'TestGetIntFromIntOrString')) {
      const { input, expectVal, expectPerc } = Object(row.case);
      if (typeof input === 'string')
        expect([input, parsePercent(input)]).toEqual([input, expectPerc ? expectVal : undefined]);
    }
  });

  it('TestParse', () => {
    for (const row of tableRows('apimachinery_pkg_util_intstr', 'TestParse')) {
      const { input, output } = Object(row.case);
      expect([input, parseIntOrString(input)]).toEqual([input, output]);
    }
  });
});
