import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDuration, parseDuration } from '../../../../../runtime/objects/time/duration.js';

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
