import { describe, expect, it } from 'vitest';
import {
  digitsEnd,
  parseDouble,
  parseInt64,
  parseUint64,
  textBefore,
  withoutLeading,
  withoutTrailing,
} from '../../../../../runtime/objects/scan/numbers.js';

const syntax = { ok: false, problem: 'invalid syntax' };
const range = { ok: false, problem: 'value out of range' };
const value = (number: bigint): object => ({ ok: true, value: number });

describe('the reading of numbers', () => {
  it.each<[string, object]>([
    ['0', value(0n)],
    ['+7', value(7n)],
    ['-007', value(-7n)],
    ['9223372036854775807', value(2n ** 63n - 1n)],
    ['-9223372036854775808', value(-(2n ** 63n))],
    [`${'0'.repeat(50_000)}1`, value(1n)],
    ['9223372036854775808', range],
    ['-9223372036854775809', range],
    ['1'.repeat(50_000), range],
    ['', syntax],
    ['+', syntax],
    ['--1', syntax],
    ['1_000', syntax],
    [' 1', syntax],
    [`${'1'.repeat(50_000)}x`, syntax],
  ])('reads %.30j as an integer with a sign', (text, expected) => {
    expect(parseInt64(text)).toEqual(expected);
  });

  it.each<[string, object]>([
    ['18446744073709551615', value(2n ** 64n - 1n)],
    ['18446744073709551616', range],
    ['-1', syntax],
    ['+1', syntax],
  ])('reads %j as an integer without a sign', (text, expected) => {
    expect(parseUint64(text)).toEqual(expected);
  });

  it.each<[string, number | undefined]>([
    ['1', 1],
    ['-1.', -1],
    ['.5e-3', 0.0005],
    ['1E3', 1000],
    ['+Inf', Infinity],
    ['-infinity', -Infinity],
    ['NaN', Number.NaN],
    ['1e309', undefined],
    ['0x10', undefined],
    ['.', undefined],
    ['e5', undefined],
    ['1e', undefined],
    [`${'1'.repeat(40_000)}a`, undefined],
    ['1'.repeat(40_000), undefined],
  ])('reads %.30j as a double', (text, expected) => {
    expect(parseDouble(text)).toBe(expected);
  });
});

describe('the scanning of texts', () => {
  it.each([
    ['123', 0, 3],
    ['a12b', 1, 3],
    ['a12b', 0, 0],
    ['12', 2, 2],
    ['٣', 0, 0],
  ])('finds in %j from %i the end of the digits', (text, from, end) => {
    expect(digitsEnd(text, from)).toBe(end);
  });

  it('removes characters at the ends, and none within', () => {
    expect(withoutTrailing('/a//b//', '/')).toBe('/a//b');
    expect(withoutTrailing('a \t ', ' \t')).toBe('a');
    expect(withoutTrailing('===', '=')).toBe('');
    expect(withoutLeading('00100', '0')).toBe('100');
    expect(withoutLeading('000', '0')).toBe('');
  });

  it('cuts at the first occurrence of a text', () => {
    expect(textBefore('/path?a?b', '?')).toBe('/path');
    expect(textBefore('/path', '?')).toBe('/path');
  });
});
