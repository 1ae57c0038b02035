/** Combinations with branches that cannot be judged here, and the places of errors. */
import { describe, expect, it } from 'vitest';
import type { FieldError, JsonObject, JsonValue, Place, Schema } from '../../../../../runtime/contract/index.js';
import { schemaFunctions } from '../../../../../runtime/schema/index.js';

function errorsOf(schema: Schema, object: JsonObject): [string, Place | undefined][] {
  const found: [string, Place | undefined][] = [];
  schemaFunctions(schema, { decoding: 'structural' }).validate(object, {
    push: ({ field }) => found.push([field, undefined]),
    pushAt: ({ field }, place) => found.push([field, place]),
  });
  return found;
}

const text: Schema = { type: 'string' };
const [right, wrong, unknown]: Schema[] = [{}, { maxLength: 0 }, { 'x-kindforge-unknown': true }];
const schemas: Readonly<Record<string, Schema>> = { right: right ?? {}, wrong: wrong ?? {}, unknown: unknown ?? {} };

/** Reports whether a combination of branches refuses a text. */
const refuses = (key: 'anyOf' | 'oneOf' | 'allOf', ...names: string[]): boolean => {
  const branches = names.map((name) => schemas[name] ?? {});
  return errorsOf({ properties: { v: { ...text, [key]: branches } } }, { v: 'a' }).length > 0;
};

/** Returns the verdict on a combination inside `not`. */
const isRefusedByNot = (key: 'anyOf' | 'oneOf' | 'allOf', ...names: string[]): boolean => {
  const branches = names.map((name) => schemas[name] ?? {});
  return errorsOf({ properties: { v: { ...text, not: { [key]: branches } } } }, { v: 'a' }).length > 0;
};

describe('a branch that cannot be judged', () => {
  it.each([
    ['anyOf', ['unknown'], 'unknown'],
    ['anyOf', ['unknown', 'wrong'], 'unknown'],
    ['anyOf', ['unknown', 'right'], 'right'],
    ['oneOf', ['unknown', 'wrong'], 'unknown'],
    ['oneOf', ['unknown', 'right'], 'unknown'],
    ['oneOf', ['unknown', 'right', 'right'], 'wrong'],
    ['allOf', ['unknown', 'right'], 'unknown'],
    ['allOf', ['unknown', 'wrong'], 'wrong'],
  ] as const)('makes %s of %j %s', (key, names, verdict) => {
    expect(refuses(key, ...names)).toBe(verdict === 'wrong');
    expect(isRefusedByNot(key, ...names)).toBe(verdict === 'right');
  });

  it('does not count as failed if no branch fits', () => {
    const messages: string[] = [];
    const schema: Schema = {
      properties: { v: { ...text, allOf: [{ maxLength: 0 }, { 'x-kindforge-unknown': true }] } },
    };
    schemaFunctions(schema, { decoding: 'structural' }).validate({ v: 'a' }, { push: (e) => messages.push(e.message) });
    expect(messages.at(-1)).toBe('Invalid value: "": "v" must validate all the schemas (allOf)');
  });
});

describe('the place of an error', () => {
  const schema: Schema = {
    type: 'object',
    properties: {
      map: { type: 'object', additionalProperties: { ...text, not: { enum: ['a'] } } },
      list: { type: 'array', items: { type: 'object', required: ['b.c'] } },
      set: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
      keyed: { type: 'object', additionalProperties: { type: 'array', 'x-kubernetes-list-type': 'set', items: text } },
      whole: { type: 'object', 'x-kubernetes-embedded-resource': true },
    },
  };

  it.each<[JsonObject, string, Place]>([
    [{ map: { 'x.y': 'a' } }, '<nil>', ['map', 'x.y']],
    [{ list: [{}] }, 'list[0].b.c', ['list', 0, 'b.c']],
    [{ set: ['a', 'a'] }, 'set[1]', ['set', 1]],
    [{ keyed: { 'x.y': ['a', 'a'] } }, 'keyed[x.y][1]', ['keyed', 'x.y', 1]],
    [{ whole: { apiVersion: 'v1' } }, 'whole.kind', ['whole', 'kind']],
    [
      { whole: { apiVersion: 'v1', kind: 'A', metadata: { labels: { '-': '' } } } },
      'whole.metadata.labels',
      ['whole', 'metadata', 'labels'],
    ],
  ])('in %j is reported beside it', (object, field, place) => {
    expect(errorsOf(schema, object)).toContainEqual([field, place]);
  });
});

it('an embedded object needs its type, without further words in later releases', () => {
  const found: FieldError[] = [];
  const embedded: Schema = { type: 'object', 'x-kubernetes-embedded-resource': true };
  const whole: Schema = { type: 'object', properties: { v: embedded } };
  schemaFunctions(whole, { decoding: 'structural' }).validate({ v: {} }, { push: (error) => found.push(error) });
  expect(found.map(({ message }) => message)).toEqual(Array(2).fill('Required value: must not be empty'));
  expect(found.map(({ later }) => later)).toEqual(Array(2).fill('Required value'));
});

describe('a value of the wrong type', () => {
  const message = (schema: Schema, value: JsonValue, formats = { names: false, numbers: false }): string[] => {
    const found: string[] = [];
    const whole: Schema = { type: 'object', properties: { v: schema } };
    const functions = schemaFunctions(whole, { decoding: 'structural', formats });
    functions.validate({ v: value }, { push: (e) => found.push(e.message) });
    return found;
  };
  const later = { names: true, numbers: true };

  it.each<[Schema, JsonValue, string, string]>([
    [{ type: 'integer', format: 'int64' }, true, 'integer: "boolean"', 'int64: ""'],
    [{ type: 'integer', format: 'int32' }, 1.5, 'integer: "number"', 'int32: "float64"'],
    [{ type: 'integer', format: 'int32' }, 'x', 'integer: "string"', 'integer: "string"'],
    [{ type: 'integer', format: 'int32' }, {}, 'integer: "object"', 'int32: ""'],
    [{ type: 'number', format: 'double' }, [], 'number: "array"', 'number: "array"'],
    [{ type: 'number', format: 'float' }, true, 'number: "boolean"', 'float: ""'],
    [{ type: 'boolean', format: 'own' }, 1, 'boolean: "integer"', 'boolean: "integer"'],
    [{ type: 'string', format: 'own' }, 1, 'string: "integer"', 'string: "integer"'],
    [{ type: 'string', format: 'date-time' }, 5, 'date-time: "int64"', 'date-time: "int64"'],
    [{ type: 'string', format: 'date-time' }, 0.5, 'date-time: "float64"', 'date-time: "float64"'],
    [{ type: 'string', format: 'byte' }, true, 'byte: ""', 'byte: ""'],
  ])('of %j: %j', (schema, value, words, laterWords) => {
    expect(message(schema, value)[0]).toContain(`v in body must be of type ${words}`);
    expect(message(schema, value, later)[0]).toContain(`v in body must be of type ${laterWords}`);
  });

  it.each<[Schema, JsonValue, string | undefined]>([
    [{ type: 'integer', format: 'int32' }, 2 ** 31, 'integer with format int32'],
    [{ type: 'integer', format: 'int32' }, -(2 ** 31), undefined],
    [{ type: 'integer', format: 'int32' }, 2n ** 62n, 'integer with format int32'],
    [{ type: 'integer', format: 'int64' }, 2n ** 63n - 1n, undefined],
    [{ type: 'integer' }, 2n ** 63n, 'integer (default format)'],
    [{ type: 'integer' }, 2.5, 'integer (default format)'],
    [{ type: 'number', format: 'float' }, 3.5e38, 'number with format float'],
    [{ type: 'number', format: 'float' }, 3.4e38, undefined],
    [{ type: 'number', format: 'double' }, 1e308, undefined],
    [{ format: 'float' }, 1e308, undefined],
  ])('of the range of %j: %s', (schema, value, range) => {
    const words = `Checked value must be of type ${range} in v`;
    const isRange = (text: string): boolean => text.includes('Checked value');
    const expected = range === undefined ? [] : [`Invalid value: "": ${words}`];
    expect(message(schema, value, later).filter(isRange)).toEqual(expected);
    expect(message(schema, value).filter(isRange)).toEqual([]);
  });

  it.each<[string, string, boolean]>([
    ['k8s-short-name', 'web-1', true],
    ['k8s-short-name', 'Web', false],
    ['k8s-short-name', 'a'.repeat(64), false],
    ['k8s-long-name', `${'a'.repeat(64)}.b`, true],
    ['k8s-long-name', 'a..b', false],
    ['k8s-long-name', 'a.'.repeat(127), false],
  ])('of the format %s: %j', (format, value, fits) => {
    const schema: Schema = { type: 'string', format };
    const refused = `Invalid value: ${JSON.stringify(value)}: v in body must be of type ${format}: ${JSON.stringify(value)}`;
    expect(message(schema, value, later)).toEqual(fits ? [] : [refused]);
    expect(message(schema, value)).toEqual([]);
  });
});
