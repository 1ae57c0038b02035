import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../../runtime/contract/index.js';
import * as errors from '../../../../runtime/objects/field-error.js';
import { byteLength } from '../../../../runtime/objects/names/name-checks.js';
import { byCodePoint, formatNumber, formatSource, quote } from '../../../../runtime/objects/printing.js';

describe('field errors', () => {
  it('have the words that clients know', () => {
    const made = [
      errors.required('spec.a'),
      errors.required('spec.a', 'name it'),
      errors.invalidValue('spec.a', 'x"y', 'no'),
      errors.invalidValue('spec.a', 5, 'no'),
      errors.invalidValue('spec.a', undefined, 'no'),
      errors.invalidValue('spec.a', errors.stringList(['a', 'b']), 'no'),
      errors.invalidValue('spec.a', new errors.Verbatim('0x0'), 'no'),
      errors.invalidValue('spec.a', { b: 2, a: 1 }, ''),
      errors.typeInvalid('spec.a', 'string', 'no'),
      errors.notSupported('spec.a', 'z', ['x', 'y']),
      errors.notSupported('spec.a', 'z', []),
      errors.duplicate('spec.a[1]', ['x']),
      errors.notFoundValue('spec.a', 'x'),
      errors.forbidden('spec.a', 'not you'),
      errors.tooLong('spec.a', 128),
      errors.tooLongMaximum('spec.a', 128),
      errors.tooMany('spec.a', 129, 128),
      errors.internalError('spec.a', 'oops'),
    ];
    expect(made.map((error) => `${error.reason} ${errors.fieldErrorText(error)}`)).toEqual([
      'FieldValueRequired spec.a: Required value',
      'FieldValueRequired spec.a: Required value: name it',
      'FieldValueInvalid spec.a: Invalid value: "x\\"y": no',
      'FieldValueInvalid spec.a: Invalid value: 5: no',
      'FieldValueInvalid spec.a: Invalid value: "null": no',
      'FieldValueInvalid spec.a: Invalid value: []string{"a", "b"}: no',
      'FieldValueInvalid spec.a: Invalid value: 0x0: no',
      'FieldValueInvalid spec.a: Invalid value: map[string]interface {}{"a":1, "b":2}',
      'FieldValueTypeInvalid spec.a: Invalid value: "string": no',
      'FieldValueNotSupported spec.a: Unsupported value: "z": supported values: "x", "y"',
      'FieldValueNotSupported spec.a: Unsupported value: "z"',
      'FieldValueDuplicate spec.a[1]: Duplicate value: []interface {}{"x"}',
      'FieldValueNotFound spec.a: Not found: "x"',
      'FieldValueForbidden spec.a: Forbidden: not you',
      'FieldValueTooLong spec.a: Too long: must have at most 128 bytes',
      'FieldValueTooLong spec.a: Too long: may not be longer than 128',
      'FieldValueTooMany spec.a: Too many: 129: must have at most 128 items',
      'InternalError spec.a: Internal error: oops',
    ]);
  });

  it('are joined, and repeats appear once', () => {
    expect(errors.joinErrors(['a'])).toBe('a');
    expect(errors.joinErrors(['a', 'b', 'a'])).toBe('[a, b]');
    expect(errors.joinErrors(['a', 'a'])).toBe('a');
  });
});

describe('field errors in later words', () => {
  it('print values as JSON, and count the bytes of labels but not of names', () => {
    const made = [
      errors.invalidValue('a', { b: 1, a: '<' }, 'no'),
      errors.invalidValue('a', undefined, 'no'),
      errors.notSupported('a', errors.stringList(['x']), ['y']),
      errors.tooLong('a', 3),
      errors.tooMany('a', 2, 1),
      errors.invalidValue('metadata.labels', 'b', 'must be no more than 63 characters'),
      errors.invalidValue('a', 'b', 'name part must be no more than 63 characters'),
      errors.invalidValue('metadata.ownerReferences.kind', '', 'kind must not be empty'),
      errors.invalidValue('metadata.name', 'b', 'must be no more than 63 characters'),
      errors.required('a'),
    ];
    expect(made.map(({ later }) => later)).toEqual([
      'Invalid value: {"a":"\\u003c","b":1}: no',
      'Invalid value: null: no',
      'Unsupported value: ["x"]: supported values: "y"',
      'Too long: may not be more than 3 bytes',
      'Too many: 2: must have at most 1 item',
      'Invalid value: "b": must be no more than 63 bytes',
      'Invalid value: "b": name part must be no more than 63 bytes',
      'Invalid value: "": must not be empty',
      undefined,
      undefined,
    ]);
  });
});

describe('printed values', () => {
  it.each([
    ['plain', '"plain"'],
    ['tab\there', '"tab\\there"'],
    ['\x07bell\x01', '"\\abell\\x01"'],
    ['\x7f', '"\\x7f"'],
    ['\u00e9\u2603\u{1f642}', '"\u00e9\u2603\u{1f642}"'],
    ['\u200b\u00a0', '"\\u200b\\u00a0"'],
    ['\u{e0001}', '"\\U000e0001"'],
    ['\ud800', '"\ufffd"'],
    ['a\\b', '"a\\\\b"'],
  ])('quotes %j', (text, quoted) => {
    expect(quote(text)).toBe(quoted);
  });

  it.each<[number | bigint, string]>([
    [0, '0'],
    [-5, '-5'],
    [1.5, '1.5'],
    [123456.5, '123456.5'],
    [1234567.5, '1.2345675e+06'],
    [9007199254740991, '9007199254740991'],
    [1e20, '1e+20'],
    [1.5e300, '1.5e+300'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [2n ** 63n, '9223372036854775808'],
  ])('prints the number %s', (value, printed) => {
    expect(formatNumber(value)).toBe(printed);
  });

  it('prints whole values', () => {
    const value: JsonValue = { b: [1, 'x', null, true], a: {} };
    expect(formatSource(value)).toBe(
      'map[string]interface {}{"a":map[string]interface {}{}, "b":[]interface {}{1, "x", interface {}(nil), true}}',
    );
  });

  it('orders by UTF-8 bytes and counts them', () => {
    const words = ['\u{10000}', '\uffff', 'b', 'a', 'ab', ''];
    const bytes = [...words].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect([...words].sort(byCodePoint)).toEqual(bytes);
    expect(byteLength('a\u00e9\u2603\u{1f642}')).toBe(10);
  });
});
