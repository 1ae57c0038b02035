import { describe, expect, test } from 'vitest';
import { isAmbiguous, isAmbiguousKey, NOT_JSON, resolvePlain } from '../../../../generator/load/scalars.js';

describe('resolvePlain', () => {
  test.each([
    ['', null],
    ['~', null],
    ['null', null],
    ['nULL', 'nULL'],
    ['true', true],
    ['False', false],
    ['yes', 'yes'],
    ['tRue', 'tRue'],
    ['0', 0],
    ['-0', 0],
    ['+12', 12],
    ['012', 12],
    ['0o17', 15],
    ['0x1F', 31],
    ['0x', '0x'],
    ['1_000', '1_000'],
    ['1.5e3', 1500],
    ['.5', 0.5],
    ['-.5', -0.5],
    ['1.', 1],
    ['.', '.'],
    ['-', '-'],
    ['1.2.3', '1.2.3'],
    ['2001-01-01', '2001-01-01'],
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', 9007199254740993n],
    ['-9223372036854775808', -9223372036854775808n],
    ['+9223372036854775807', 9223372036854775807n],
    ['18446744073709551615', 18446744073709551615n],
    ['18446744073709551616', 2 ** 64],
    ['0xFFFFFFFFFFFFFFFF', 18446744073709551615n],
    ['.inf', NOT_JSON],
    ['-.Inf', NOT_JSON],
    ['.nan', NOT_JSON],
    ['1e999', NOT_JSON],
    [`1${'0'.repeat(400)}`, NOT_JSON],
    ['text', 'text'],
  ])('%s', (text, value) => {
    expect(resolvePlain(text)).toBe(value);
  });
});

describe('isAmbiguous', () => {
  test.each(['yes', 'No', 'ON', 'off', 'y', 'N', '0755', '-012', '0b101', '1_000'])('%s', (text) => {
    expect(isAmbiguous(text)).toBe(true);
  });
  test.each(['true', 'null', '0', '10', '0x1F', 'yesterday', 'oN', '1.5', 'a_b'])('not %s', (text) => {
    expect(isAmbiguous(text)).toBe(false);
  });
});

describe('isAmbiguousKey', () => {
  test.each(['on', 'n', 'True', '1.0', '1.10', '1e3', '0x10', '+1', '-0', '010'])('%s', (text) => {
    expect(isAmbiguousKey(text)).toBe(true);
  });
  test.each(['true', 'false', '0', '10', '-5', '1.5', '9223372036854775807', 'a', '1.2.3', '2020-01-01', '.inf'])(
    'not %s',
    (text) => expect(isAmbiguousKey(text)).toBe(false),
  );
});
