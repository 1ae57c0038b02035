import { describe, expect, it } from 'vitest';
import {
  boundsOf,
  decodeBytes,
  encodeBytes,
  readIntOrString,
  readNumber,
} from '../../../../packages/console/src/schema/scalars.js';

describe('readNumber', () => {
  it.each<[string, boolean, number | bigint | string]>([
    ['7', true, 7],
    [' -7 ', true, -7],
    ['-0', true, 0],
    ['9007199254740993', true, 9007199254740993n],
    ['-9223372036854775808', true, -9223372036854775808n],
    ['1.5', true, 'not a whole number'],
    ['', true, 'not a whole number'],
    ['0x10', true, 'not a whole number'],
    ['1.5', false, 1.5],
    ['1e3', false, 1000],
    ['.5', false, 0.5],
    ['1e999', false, 'not a number'],
    ['NaN', false, 'not a number'],
    ['7', false, 7],
  ])('reads %j', (text, isInteger, value) => {
    expect(readNumber(text, isInteger)).toBe(value);
  });
});

describe('readIntOrString', () => {
  it('reads whole numbers in their usual form, and keeps every other text', () => {
    expect(['80', '-1', '080', '50%', '1.0', '99999999999999999999'].map(readIntOrString)).toEqual([
      80,
      -1,
      '080',
      '50%',
      '1.0',
      '99999999999999999999',
    ]);
  });
});

describe('bytes', () => {
  it('reads and writes base64 of UTF-8', () => {
    for (const text of ['', 'pass', 'ü😀\n', '\ufeffmark']) expect(decodeBytes(encodeBytes(text))).toBe(text);
    expect(decodeBytes('/w==')).toBeUndefined();
    expect(decodeBytes('not base64!')).toBeUndefined();
  });
});

describe('boundsOf', () => {
  it('prints the bounds of a schema in words', () => {
    expect(boundsOf({ minimum: 1, maximum: 9 })).toBe('1 to 9');
    expect(boundsOf({ minLength: 2 })).toBe('at least 2 characters');
    expect(boundsOf({ maxItems: 3, maxLength: 4 })).toBe('at most 4 characters, at most 3 items');
    expect(boundsOf({})).toBe('');
  });
});
