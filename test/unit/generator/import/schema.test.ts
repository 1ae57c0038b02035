import { describe, expect, it } from 'vitest';
import { printRemarks, type Remark } from '../../../../generator/import/remarks.js';
import { convertNode } from '../../../../generator/import/schema.js';
import type { JsonObject, JsonValue } from '../../../../runtime/contract/index.js';

const convert = (raw: JsonValue) => {
  const remarks: Remark[] = [];
  const reference = (id: string): JsonObject | undefined => (id === 'a.v1.Known' ? { $ref: 'a/v1#/Known' } : undefined);
  const node = convertNode(raw, ['definitions', 'X'], { reference, remarks: (remark) => remarks.push(remark) });
  return { node, said: printRemarks(remarks) };
};

const known = { $ref: '#/definitions/a.v1.Known' };

describe('keywords that are kept', () => {
  it.each<[string, JsonObject]>([
    ['types with formats and bounds', { type: 'integer', format: 'int64', minimum: 1n, maximum: 9223372036854775807n }],
    ['words, enums and defaults', { type: 'string', description: 'Its size.', enum: ['a', 'b'], default: 'b' }],
    ['patterns', { type: 'string', pattern: '^a+$', minLength: 1, maxLength: 9 }],
    ['fields and which are required', { type: 'object', required: ['a'], properties: { a: { type: 'string' } } }],
    ['maps', { type: 'object', additionalProperties: { type: 'string' }, 'x-kubernetes-map-type': 'atomic' }],
    [
      'lists with their markers',
      {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
        'x-kubernetes-patch-strategy': 'merge',
        'x-kubernetes-patch-merge-key': 'k',
        items: { type: 'object', required: ['k'], properties: { k: { type: 'string' } } },
      },
    ],
    ['integers or strings', { 'x-kubernetes-int-or-string': true, pattern: '^\\d+%$' }],
    ['values of any shape', { 'x-kubernetes-preserve-unknown-fields': true, description: 'Anything.' }],
    [
      'embedded objects',
      {
        type: 'object',
        'x-kubernetes-preserve-unknown-fields': true,
        'x-kubernetes-embedded-resource': true,
      },
    ],
    ['rules', { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 1', message: 'too few' }] }],
    ['nulls', { type: 'string', nullable: true, default: null }],
    [
      'rules on single values',
      {
        type: 'object',
        properties: { a: { type: 'string' }, b: { type: 'string' } },
        oneOf: [{ required: ['a'] }, { required: ['b'] }],
      },
    ],
    [
      'fields with odd names',
      { type: 'object', properties: { $ref: { type: 'string' }, constructor: { type: 'string' } } },
    ],
  ])('are %s', (_title, node) => {
    expect(convert(node)).toEqual({ node, said: [] });
  });

  it('is a field of the name __proto__', () => {
    const raw: JsonObject = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}');
    expect(JSON.stringify(convert(raw).node)).toBe(JSON.stringify(raw));
  });
});

describe('keywords that are written in another way', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['references of version 2', { ...known, description: 'One.' }, { $ref: 'a/v1#/Known', description: 'One.' }],
    [
      'references of version 3',
      { description: 'One.', allOf: [{ $ref: '#/components/schemas/a.v1.Known' }] },
      { $ref: 'a/v1#/Known', description: 'One.' },
    ],
    ['types beside references, which know better', { ...known, type: 'object' }, { $ref: 'a/v1#/Known' }],
    [
      'integers or strings by format',
      { type: 'string', format: 'int-or-string' },
      { 'x-kubernetes-int-or-string': true },
    ],
    [
      'integers or strings by choice',
      { oneOf: [{ type: 'integer' }, { type: 'string' }] },
      { 'x-kubernetes-int-or-string': true },
    ],
    [
      'markers that are false, or that say again what a node is',
      { type: 'string', 'x-kubernetes-preserve-unknown-fields': false, 'x-kubernetes-embedded-resource': false },
      { type: 'string' },
    ],
    [
      'integers or strings that keep unknown fields, of which they have none',
      { 'x-kubernetes-int-or-string': true, 'x-kubernetes-preserve-unknown-fields': true },
      { 'x-kubernetes-int-or-string': true },
    ],
    ['objects without fields', { type: 'object' }, { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }],
    [
      'nodes without a type',
      { description: 'Any.' },
      { 'x-kubernetes-preserve-unknown-fields': true, description: 'Any.' },
    ],
    [
      'fields beside which there may be others',
      { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: true },
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { a: { type: 'string' } } },
    ],
    [
      'lists of unique values',
      { type: 'array', uniqueItems: true, items: { type: 'string' } },
      { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
    ],
    ['enums with a value twice', { type: 'string', enum: ['a', 'b', 'a'] }, { type: 'string', enum: ['a', 'b'] }],
    [
      'required fields that there are not',
      { type: 'object', required: ['a', 'z'], properties: { a: { type: 'string' } } },
      { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
    ],
    ['patterns of RE2 alone', { type: 'string', 'x-re2-pattern': '(?i)yes' }, { type: 'string', pattern: '(?i)yes' }],
    [
      'references among words in version 3',
      { allOf: [{ $ref: '#/components/schemas/a.v1.Known' }, { description: 'One.', nullable: true }] },
      { $ref: 'a/v1#/Known', description: 'One.', nullable: true },
    ],
    [
      'references of version 3 beside their type',
      { type: 'object', allOf: [{ $ref: '#/components/schemas/a.v1.Known' }] },
      { $ref: 'a/v1#/Known' },
    ],
    ['a choice of one', { oneOf: [{ $ref: '#/components/schemas/a.v1.Known' }] }, { $ref: 'a/v1#/Known' }],
    [
      'zeros of integers or strings',
      { 'x-kubernetes-int-or-string': true, default: {} },
      { 'x-kubernetes-int-or-string': true, 'x-kindforge-presence': 'always' },
    ],
    ['zeros of other types', { type: 'string', default: {} }, { type: 'string', 'x-kindforge-presence': 'always' }],
    [
      'zeros beyond a bound',
      { type: 'integer', maximum: -1, default: 0 },
      { type: 'integer', maximum: -1, 'x-kindforge-presence': 'always' },
    ],
    [
      'zeros that are excluded',
      { type: 'string', not: { enum: [''] }, default: '' },
      { type: 'string', not: { enum: [''] }, 'x-kindforge-presence': 'always' },
    ],
    [
      'defaults of integers or strings',
      { 'x-kubernetes-int-or-string': true, default: '25%' },
      { 'x-kubernetes-int-or-string': true, default: '25%' },
    ],
    [
      'nulls among values',
      { type: 'string', enum: ['a', null] },
      { type: 'string', enum: ['a', null], nullable: true },
    ],
    ['enums of version 2', { enum: ['a', null] }, { type: 'string', enum: ['a', null], nullable: true }],
    ['enums of integers', { enum: [1, 9007199254740993n] }, { type: 'integer', enum: [1, 9007199254740993n] }],
    ['enums of numbers', { enum: [1, 1.5] }, { type: 'number', enum: [1, 1.5] }],
    ['enums of anything', { enum: [1, 'a'] }, { 'x-kubernetes-preserve-unknown-fields': true, enum: [1, 'a'] }],
    [
      'embedded objects of version 2',
      { 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
      { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    ],
    [
      'embedded objects of a type',
      { ...known, 'x-kubernetes-embedded-resource': true },
      { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    ],
    [
      'atomic maps of version 2',
      { 'x-kubernetes-map-type': 'atomic', 'x-kubernetes-preserve-unknown-fields': true },
      { type: 'object', 'x-kubernetes-map-type': 'atomic', 'x-kubernetes-preserve-unknown-fields': true },
    ],
    [
      'lists of version 2 that may be null',
      { 'x-kubernetes-list-type': 'atomic' },
      {
        type: 'array',
        items: { 'x-kubernetes-preserve-unknown-fields': true },
        'x-kubernetes-list-type': 'atomic',
        nullable: true,
      },
    ],
    ['zeros of types', { ...known, default: {} }, { $ref: 'a/v1#/Known', 'x-kindforge-presence': 'always' }],
    [
      'zeros that are no valid values',
      { type: 'string', enum: ['a'], default: '' },
      { type: 'string', enum: ['a'], 'x-kindforge-presence': 'always' },
    ],
  ])('are %s', (_title, raw, node) => {
    expect(convert(raw)).toEqual({ node, said: [] });
  });
});

describe('keywords that are left out', () => {
  it.each<[string, JsonObject, JsonObject, string]>([
    [
      'keys that the format does not have',
      { type: 'string', 'x-kubernetes-unions': [] },
      { type: 'string' },
      'definitions.X.x-kubernetes-unions: `x-kubernetes-unions` is left out: the native format has no such key',
    ],
    [
      'markers that mean nothing',
      { type: 'string', 'x-kubernetes-patch-merge-key': 'key' },
      { type: 'string' },
      'definitions.X.x-kubernetes-patch-merge-key: `x-kubernetes-patch-merge-key` is left out: it has no effect on a value of type string',
    ],
    [
      'choices of whole types',
      { anyOf: [{ type: 'string' }, { type: 'boolean' }] },
      { 'x-kubernetes-preserve-unknown-fields': true },
      'definitions.X.anyOf: `anyOf` is left out: its schemas define types',
    ],
  ])('are reported: %s', (_title, raw, node, said) => {
    expect(convert(raw)).toEqual({ node, said: [said] });
  });
});

describe('mistakes', () => {
  it.each<[JsonValue, string]>([
    ['text', 'definitions.X: must be a schema'],
    [{ type: 'array', items: [] }, 'definitions.X.items: must be a schema'],
    [
      { type: 'file' },
      'definitions.X.type: "file" must be one of the types object, array, string, integer, number, boolean',
    ],
    [
      { properties: { a: { type: ['string', 'null'] } } },
      'definitions.X.properties.a.type: ["string","null"] must be one of the types object, array, string, integer, number, boolean',
    ],
    [{ $ref: 1 }, 'definitions.X.$ref: must be a string'],
    [
      { $ref: '#/definitions/Lost' },
      'definitions.X.$ref: refers to a definition that does not exist: "#/definitions/Lost"',
    ],
    [
      { $ref: 'other.json#/definitions/a.v1.Known' },
      'definitions.X.$ref: refers to a definition that does not exist: "other.json#/definitions/a.v1.Known"',
    ],
  ])('are reported with their place: %j', (raw, said) => {
    expect(convert(raw).said).toEqual([said]);
  });
});
