import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  durationProblem,
  formatDuration,
  parseDuration,
  parseWordedDuration,
} from '../../../../../runtime/objects/scan/duration.js';

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

  it('are read back unchanged', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (duration) => {
        expect(parseDuration(formatDuration(duration))).toBe(duration);
      }),
    );
  });

  it.each([
    ['5', 'time: missing unit in duration "5"'],
    ['5x', 'time: unknown unit "x" in duration "5x"'],
    ['1h5msec', 'time: unknown unit "msec" in duration "1h5msec"'],
    ['1h.', 'time: invalid duration "1h."'],
    ['', 'time: invalid duration ""'],
    ['9223372036854775808ns', 'time: invalid duration "9223372036854775808ns"'],
    ['1h', undefined],
  ])('report the mistake in %j', (text, problem) => {
    expect(durationProblem(text)).toBe(problem);
  });

  it('read numbers that begin with any number of zeros', () => {
    expect(parseDuration(`${'0'.repeat(50_000)}1s`)).toBe(1_000_000_000n);
  });

  it.each<[string, bigint | undefined]>([
    ['1h30m', 5_400_000_000_000n],
    ['3 days', 259_200_000_000_000n],
    ['1 week 2 hours', 612_000_000_000_000n],
    ['0.5 hours', 18_000_000_000_000n],
    ['3 dogs', undefined],
    ['3 dogs and 1 sec', 1_000_000_000n],
    ['99999999999999999999 days', undefined],
    ['days', undefined],
  ])('reads %j in words', (text, expected) => {
    expect(parseWordedDuration(text)).toBe(expected);
  });
});
