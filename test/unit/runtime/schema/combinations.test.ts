/** A combination reports the errors of the branch that was most likely meant. */
import { describe, expect, it } from 'vitest';
import type { JsonValue, Schema } from '../../../../runtime/contract/index.js';
import { functionsOf, run } from '../../../support/compiled.js';

/** Returns fields and reasons of the errors of an item, without the error of the combination itself. */
function errorsOf(schema: Schema, item: JsonValue): string[] {
  const items: Schema = { 'x-kubernetes-preserve-unknown-fields': true, ...schema };
  const whole: Schema = { type: 'object', properties: { list: { type: 'array', items } } };
  const { errors } = run(functionsOf(whole), { list: [item] });
  return errors.filter(({ field }) => field !== '<nil>').map(({ field, message }) => `${field} ${message}`);
}

describe('the branch that counts', () => {
  const named: Schema = { required: ['name'], properties: { name: { minLength: 2 }, size: { minimum: 1 } } };
  const other: Schema = { required: ['other'] };

  it('is the one with the most applicable checks', () => {
    const [expected] = ['list[0].name Invalid value: "x": list[0].name in body should be at least 2 chars long'];
    for (const anyOf of [
      [other, named],
      [named, other],
    ])
      expect(errorsOf({ anyOf }, { name: 'x', size: 1 })).toEqual([expected]);
  });

  it('is the first of equals', () => {
    const [a, b]: Schema[] = [{ required: ['a'] }, { required: ['b'] }];
    expect(errorsOf({ anyOf: [a ?? {}, b ?? {}] }, {})).toEqual(['list[0].a Required value']);
    expect(errorsOf({ oneOf: [b ?? {}, a ?? {}] }, {})).toEqual(['list[0].b Required value']);
  });

  it('does not count a check of a type that refuses null', () => {
    const branches: Schema[] = [{ properties: { a: { type: 'string' } } }, { properties: { a: { enum: ['x'] } } }];
    const expected = 'list[0].a Unsupported value: "null": supported values: "x"';
    expect(errorsOf({ anyOf: branches }, { a: null })).toEqual([expected]);
  });

  it('is not searched for in a null', () => expect(errorsOf({ anyOf: [{ minLength: 1 }] }, null)).toEqual([]));

  it('is every branch of allOf that fails', () => {
    expect(errorsOf({ allOf: [other, named, {}] }, {})).toEqual([
      'list[0].other Required value',
      'list[0].name Required value',
    ]);
  });

  it('does not exist if too many pass', () => expect(errorsOf({ oneOf: [{}, {}] }, {})).toEqual([]));
});

describe('the error of a combination', () => {
  const messages = (schema: Schema, item: JsonValue): string[] => {
    const items: Schema = { 'x-kubernetes-preserve-unknown-fields': true, ...schema };
    const { errors } = run(functionsOf({ type: 'object', properties: { list: { type: 'array', items } } }), {
      list: [item],
    });
    return errors.filter(({ field }) => field === '<nil>').map(({ message }) => message);
  };

  it.each<[Schema, string]>([
    [{ anyOf: [{ minLength: 2 }] }, 'must validate at least one schema (anyOf)'],
    [{ oneOf: [{ minLength: 2 }] }, 'must validate one and only one schema (oneOf). Found none valid'],
    [
      { oneOf: [{}, {}, { minLength: 2 }] },
      'must validate one and only one schema (oneOf). Found 2 valid alternatives',
    ],
    [{ allOf: [{ minLength: 2 }] }, 'must validate all the schemas (allOf). None validated'],
    [{ allOf: [{ minLength: 2 }, {}] }, 'must validate all the schemas (allOf)'],
    [{ not: { maxLength: 1 } }, 'must not validate the schema (not)'],
  ])('%j', (schema, words) => {
    expect(messages(schema, 'x')).toEqual([`Invalid value: "": "list[0]" ${words}`]);
  });
});
