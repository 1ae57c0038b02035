/** Schemas are compared field by field; other notations of the same schema are not a difference. */
import { describe, expect, test } from 'vitest';
import { compareSchemas } from '../../../../../generator/diff/compare/compare-schemas.js';
import type { Schema } from '../../../../../runtime/contract/index.js';

const within = (spec: Schema): Schema => ({ type: 'object', properties: { spec } });
const found = (old: Schema, next: Schema): readonly string[] =>
  compareSchemas(within(old), within(next)).map(({ path, keyword }) => `${path} ${keyword}`);

describe('schemas that mean the same', () => {
  test.each<[string, Schema, Schema]>([
    ['words', { type: 'string', description: 'a' }, { type: 'string', description: 'b', title: 'c' }],
    ['order of an enum', { type: 'string', enum: ['a', 'b'] }, { type: 'string', enum: ['b', 'a', 'a'] }],
    ['order of required', object(['a', 'b']), object(['b', 'a'])],
    ['bounds of nothing', { type: 'string' }, { type: 'string', minLength: 0, nullable: false }],
    ['usual list type', { type: 'array' }, { type: 'array', 'x-kubernetes-list-type': 'atomic' }],
    ['usual map type', { type: 'object' }, { type: 'object', 'x-kubernetes-map-type': 'granular' }],
    ['numbers of both kinds', { type: 'integer', maximum: 5 }, { type: 'integer', maximum: 5n }],
    ['words in a junctor', { anyOf: [{ required: ['a'] }] }, { anyOf: [{ required: ['a'], description: 'a' }] }],
    [
      'what int-or-string says anyway',
      { 'x-kubernetes-int-or-string': true },
      { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
    ],
  ])('%s', (_name, old, next) => {
    expect(found(old, next)).toEqual([]);
    expect(found(next, old)).toEqual([]);
  });
});

function object(required: readonly string[]): Schema {
  return { type: 'object', required, properties: { a: { type: 'string' }, b: { type: 'string' } } };
}

describe('a difference', () => {
  test('has the path of the field, and the steps to its node', () => {
    const list = (maxLength: number): Schema => ({
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: { type: 'object', properties: { 'a.b': { type: 'string', maxLength } } },
      },
    });
    expect(compareSchemas(within(list(1)), within(list(2)))).toEqual([
      {
        path: 'spec[]{}["a.b"]',
        node: ['properties', 'spec', 'items', 'additionalProperties', 'properties', 'a.b'],
        keyword: 'maxLength',
        old: 1,
        new: 2,
      },
    ]);
  });

  test('is one per field that becomes required, and none for a removed field', () => {
    expect(found(object([]), object(['a', 'b']))).toEqual(['spec.a required', 'spec.b required']);
    expect(found(object(['a']), { type: 'object', properties: { b: { type: 'string' } } })).toEqual([
      'spec.a properties',
    ]);
  });

  test('of the type hides differences that follow from it, except bounds of numbers', () => {
    expect(found({ type: 'string', maxLength: 3 }, { type: 'object', properties: {} })).toEqual(['spec type']);
    expect(found({ type: 'integer' }, { type: 'number', minimum: 2 })).toEqual(['spec type', 'spec minimum']);
    expect(found({ type: 'string' }, { 'x-kubernetes-int-or-string': true })).toEqual(['spec type']);
  });

  test('of rules is reported rule by rule', () => {
    const rules = (...texts: readonly string[]): Schema => ({
      type: 'integer',
      'x-kubernetes-validations': texts.map((rule) => ({ rule })),
    });
    expect(found(rules('a', 'b'), rules('b', 'a'))).toEqual([]);
    expect(compareSchemas(within(rules('a')), within(rules('b')))).toMatchObject([
      { old: { rule: 'a' }, new: { rule: 'b' } },
    ]);
    expect(found(rules('a', 'b'), rules('a', 'c', 'd'))).toHaveLength(3);
  });

  test('of metadata that every object has is ignored', () => {
    const bare: Schema = { type: 'object', properties: {} };
    const written: Schema = {
      type: 'object',
      required: ['metadata'],
      properties: { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: { type: 'object' } },
    };
    expect(compareSchemas(bare, written)).toEqual([]);
    expect(compareSchemas(written, bare)).toEqual([]);
  });
});
