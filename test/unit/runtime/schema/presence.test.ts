/** The stored value of fields that are absent, null or zero, for typed kinds. */
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue, Schema } from '../../../../runtime/contract/index.js';
import { functionsOf, run } from '../../../support/compiled.js';

const kinds = ['explicit', 'implicit', 'always', 'nullable'] as const;
const schema: Schema = {
  type: 'object',
  properties: Object.fromEntries(kinds.map((kind) => [kind, { type: 'string', 'x-kindforge-presence': kind }])),
};

const storedOf = (written: JsonValue | undefined): JsonObject => {
  const object = Object.fromEntries(kinds.flatMap((kind) => (written === undefined ? [] : [[kind, written]])));
  return run(functionsOf(schema, { decoding: 'typed', kind: 'Thing' }), object).object;
};

describe('presence of a text', () => {
  it.each<[string, JsonValue | undefined, JsonObject]>([
    ['absent', undefined, { always: '', nullable: null }],
    ['null', null, { always: '', nullable: null }],
    ['empty', '', { explicit: '', always: '', nullable: '' }],
    ['there', 'a', { explicit: 'a', implicit: 'a', always: 'a', nullable: 'a' }],
  ])('%s', (_what, written, stored) => {
    expect(storedOf(written)).toEqual(stored);
  });
});

it.each([undefined, null, ''])('a text that is always there and has a default is never %j', (written) => {
  const always: Schema = { type: 'string', default: 'True', 'x-kindforge-presence': 'always' };
  const functions = functionsOf({ type: 'object', properties: { always } }, { decoding: 'typed', kind: 'Thing' });
  expect(run(functions, written === undefined ? {} : { always: written }).object).toEqual({ always: 'True' });
});

describe('the value of a null in a map or list', () => {
  const schemas: Readonly<Record<string, Schema>> = {
    text: { type: 'string' },
    bytes: { type: 'string', format: 'byte' },
    quantity: { type: 'string', format: 'quantity' },
    integer: { type: 'integer', format: 'int32' },
    flag: { type: 'boolean' },
    either: { 'x-kubernetes-int-or-string': true },
    list: { type: 'array', items: { type: 'string' } },
    struct: { type: 'object', properties: { a: { type: 'string', 'x-kindforge-presence': 'implicit' } } },
  };

  it.each<[string, JsonValue]>([
    ['text', ''],
    ['bytes', ''],
    ['quantity', '0'],
    ['integer', 0],
    ['flag', false],
    ['either', 0],
    ['list', []],
    ['struct', {}],
  ])('%s', (name, zero) => {
    const item = schemas[name] ?? {};
    const within: Schema = {
      type: 'object',
      properties: { map: { type: 'object', additionalProperties: item }, list: { type: 'array', items: item } },
    };
    const written = { map: { k: null }, list: [null] };
    expect(run(functionsOf(within, { decoding: 'typed', kind: 'Thing' }), written).object).toEqual({
      map: { k: zero },
      list: [zero],
    });
  });
});
