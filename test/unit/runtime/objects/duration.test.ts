import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatDuration,
  humanDuration,
  parseDuration,
  shortHumanDuration,
} from '../../../../runtime/objects/duration.js';
import { tableRows, tablesAbsent } from './shared-data.js';

describe('durations', () => {
  it.each<[string, bigint | undefined]>([
    ['0', 0n],
    ['0s', 0n],
    ['5s', 5_000_000_000n],
    ['1h2m3.5s', 3_723_500_000_000n],
    ['-1.5h', -5_400_000_000_000n],
    ['+5m', 300_000_000_000n],
    ['.5s', 500_000_000n],
    ['5.s', 5_000_000_000n],
    ['1us1µs1μs1ns', 3_001n],
    ['0.100000000000000000001h', 360_000_000_000n],
    ['9223372036854775807ns', 9223372036854775807n],
    ['-9223372036854775808ns', -9223372036854775808n],
    ['9223372036854775808ns', undefined],
    ['', undefined],
    ['-', undefined],
    ['5', undefined],
    ['.s', undefined],
    ['5x', undefined],
    ['5s ', undefined],
    ['99999999999999999999h', undefined],
  ])('reads %j', (text, expected) => {
    expect(parseDuration(text)).toBe(expected);
  });

  it.each<[bigint, string]>([
    [0n, '0s'],
    [1n, '1ns'],
    [1_100n, '1.1µs'],
    [2_200_000n, '2.2ms'],
    [3_300_000_000n, '3.3s'],
    [60_000_000_000n, '1m0s'],
    [3_600_000_000_000n, '1h0m0s'],
    [-3_723_500_000_001n, '-1h2m3.500000001s'],
  ])('writes %s', (duration, text) => {
    expect(formatDuration(duration)).toBe(text);
  });

  it('read back what they write', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (duration) => {
        expect(parseDuration(formatDuration(duration))).toBe(duration);
      }),
    );
  });
});

describe('ages', () => {
  it.each<[number, string]>([
    [45_000, '45s'],
    [190_000, '3m10s'],
    [12_000_000, '3h20m'],
    [176_400_000, '2d1h'],
    [-1_500, '0s'],
    [-2_000, '<invalid>'],
  ])('%i ms is %s', (milliseconds, text) => {
    expect(humanDuration(milliseconds)).toBe(text);
  });

  it('has a form in one unit', () => {
    expect([59_999, 60_000, 86_399_000, 31_536_000_000].map(shortHumanDuration)).toEqual(['59s', '1m', '23h', '1y']);
  });
});

describe.skipIf(tablesAbsent)('public tables', () => {
  it.each([
    ['TestHumanDuration', humanDuration, 10],
    ['TestHumanDurationBoundaries', humanDuration, 30],
    ['TestShortHumanDurationBoundaries', shortHumanDuration, 10],
  ] as const)('%s', (test, format, atLeast) => {
    const rows = tableRows('apimachinery_pkg_util_duration', test);
    for (const row of rows) {
      const { d, want } = Object(row.case);
      const nanoseconds = Number(Object(d).$int64 ?? d);
      expect([nanoseconds, format(nanoseconds / 1e6)]).toEqual([nanoseconds, want]);
    }
    expect(rows.length).toBeGreaterThanOrEqual(atLeast);
  });
});
