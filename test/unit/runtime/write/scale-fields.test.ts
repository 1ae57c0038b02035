/** The fields that a scale subresource names: which values they may have, and which errors others get. */
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../runtime/contract/index.js';
import { fieldErrorText } from '../../../../runtime/objects/field-error.js';
import {
  countAt,
  scaleSpecErrors,
  scaleStatusErrors,
  setCount,
  textAt,
} from '../../../../runtime/write/scale-fields.js';

const paths = { specReplicasPath: '.spec.a.n', statusReplicasPath: '.status.n', labelSelectorPath: '.status.s' };
const object = (parts: JsonObject) => ({ apiVersion: 'x/v1', kind: 'X', metadata: {}, ...parts });
const specErrors = (spec: JsonValue): readonly string[] => scaleSpecErrors(paths, object({ spec })).map(fieldErrorText);
const statusErrors = (status: JsonValue): readonly string[] =>
  scaleStatusErrors(paths, object({ status })).map(fieldErrorText);

describe('the desired count', () => {
  it.each<[JsonValue]>([[{}], [{ a: {} }], [{ a: { n: 0 } }], [{ a: { n: 2147483647 } }]])('may be %j', (spec) => {
    expect(specErrors(spec)).toEqual([]);
  });

  const at = '.spec.a.n: Invalid value: ';
  it.each<[JsonValue, string]>([
    [{ a: { n: -1 } }, `${at}-1: should be a non-negative integer`],
    [{ a: { n: 2147483648 } }, `${at}2147483648: should be less than or equal to 2147483647`],
    [{ a: { n: 2n ** 62n } }, `${at}4611686018427387904: should be less than or equal to 2147483647`],
    [
      { a: { n: 2n ** 63n } },
      `${at}0: .spec.a.n accessor error: 9.223372036854776e+18 is of the type float64, expected int64`,
    ],
    [{ a: { n: '2' } }, `${at}0: .spec.a.n accessor error: 2 is of the type string, expected int64`],
    [{ a: { n: 1.5 } }, `${at}0: .spec.a.n accessor error: 1.5 is of the type float64, expected int64`],
    [{ a: { n: null } }, `${at}0: .spec.a.n accessor error: <nil> is of the type <nil>, expected int64`],
    [
      { a: { n: [1, true] } },
      `${at}0: .spec.a.n accessor error: [1 true] is of the type []interface {}, expected int64`,
    ],
    [
      { a: { n: { b: 1, a: 'x' } } },
      `${at}0: .spec.a.n accessor error: map[a:x b:1] is of the type map[string]interface {}, expected int64`,
    ],
    [{ a: true }, `${at}0: .spec.a accessor error: true is of the type bool, expected map[string]interface{}`],
    ['text', `${at}0: .spec accessor error: text is of the type string, expected map[string]interface{}`],
  ])('cannot be in case %#', (spec, text) => {
    expect(specErrors(spec)).toEqual([text]);
  });
});

it('status has a count and a selector of text, if any', () => {
  expect(statusErrors({})).toEqual([]);
  expect(statusErrors({ n: 3, s: 'a=b' })).toEqual([]);
  expect(statusErrors({ n: -1, s: 5 })).toEqual([
    '.status.n: Invalid value: -1: should be a non-negative integer',
    '.status.s: Invalid value: "": .status.s accessor error: 5 is of the type int64, expected string',
  ]);
});

it('names of members that every object has are fields like others', () => {
  expect(countAt({}, '.constructor.length')).toEqual({});
  expect(textAt({}, '.toString.name')).toEqual({});
  const target = JSON.parse('{}');
  expect(setCount(target, '.__proto__.n', 3)).toMatchObject({ ok: true });
  expect(JSON.stringify(target)).toBe('{"__proto__":{"n":3}}');
  expect(countAt(target, '.__proto__.n')).toEqual({ value: 3 });
});

describe('setting a count', () => {
  it('creates missing parent objects', () => {
    const target: JsonObject = { b: 1 };
    expect(setCount(target, '.spec.a.n', 3)).toMatchObject({ ok: true });
    expect(target).toEqual({ b: 1, spec: { a: { n: 3 } } });
  });

  it('keeps other values in its way, and reports them', () => {
    const target: JsonObject = { spec: { a: 'text' } };
    expect(setCount(target, '.spec.a.n', 3)).toMatchObject({
      ok: false,
      failure: { reason: 'Invalid', message: 'value cannot be set because .spec.a is not a map[string]interface{}' },
    });
    expect(target).toEqual({ spec: { a: 'text' } });
  });
});
