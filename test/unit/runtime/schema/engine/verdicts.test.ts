/** Combinations of branches that nobody here can judge, and the places of errors. */
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue, Place, Schema } from '../../../../../runtime/contract/index.js';
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

describe('a value of the wrong type', () => {
  const message = (schema: Schema, value: JsonValue): string[] => {
    const found: string[] = [];
    const whole: Schema = { type: 'object', properties: { v: schema } };
    schemaFunctions(whole, { decoding: 'structural' }).validate({ v: value }, { push: (e) => found.push(e.message) });
    return found;
  };

  it.each<[Schema, JsonValue, string]>([
    [{ type: 'integer', format: 'int64' }, true, 'integer: "boolean"'],
    [{ type: 'integer', format: 'int32' }, 1.5, 'integer: "number"'],
    [{ type: 'integer', format: 'int32' }, 'x', 'integer: "string"'],
    [{ type: 'integer', format: 'int32' }, {}, 'integer: "object"'],
    [{ type: 'number', format: 'double' }, [], 'number: "array"'],
    [{ type: 'number', format: 'float' }, true, 'number: "boolean"'],
    [{ type: 'boolean', format: 'own' }, 1, 'boolean: "integer"'],
    [{ type: 'string', format: 'own' }, 1, 'string: "integer"'],
    [{ type: 'string', format: 'date-time' }, 5, 'date-time: "int64"'],
    [{ type: 'string', format: 'date-time' }, 0.5, 'date-time: "float64"'],
    [{ type: 'string', format: 'byte' }, true, 'byte: ""'],
  ])('of %j: %j', (schema, value, words) => {
    const [first = ''] = message(schema, value);
    expect(first).toContain(`v in body must be of type ${words}`);
  });

  it('is not an integer too large for its format', () => {
    expect(message({ type: 'integer', format: 'int32' }, 2 ** 40)).toEqual([]);
  });
});
