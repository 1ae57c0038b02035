/** Schemas in single releases. */
import { expect, it } from 'vitest';
import type { Schema } from '../../../../runtime/contract/index.js';
import { emulate } from '../../../../runtime/objects/release.js';
import { cutSchemas } from '../../../../runtime/schema/schema-in-release.js';

const cut = (schema: Schema, version: '1.27' | '1.30' | '1.36'): Schema => {
  const release = emulate(version);
  return cutSchemas(release.name, release.has)(schema);
};

const text: Schema = { type: 'string' };

it('leaves out later and removed fields, at any depth, and their entries in `required`', () => {
  const inner: Schema = {
    type: 'object',
    required: ['early', 'late'],
    properties: {
      early: { type: 'string', 'x-kindforge-removed': '1.30' },
      late: { type: 'string', 'x-kindforge-introduced': '1.30' },
      always: text,
    },
  };
  const schema: Schema = {
    type: 'object',
    properties: { list: { type: 'array', items: inner }, map: { type: 'object', additionalProperties: inner } },
  };
  const fieldsOf = (version: '1.27' | '1.30') => {
    const { list, map } = cut(schema, version).properties ?? {};
    expect(map?.additionalProperties).toBe(list?.items);
    return [Object.keys(list?.items?.properties ?? {}), list?.items?.required];
  };
  expect(fieldsOf('1.27')).toEqual([['early', 'always'], ['early']]);
  expect(fieldsOf('1.30')).toEqual([['late', 'always'], ['late']]);
});

it('has the keywords from before each later release', () => {
  const schema: Schema = {
    type: 'string',
    maxLength: 30,
    enum: ['A', 'B', 'C'],
    'x-kindforge-before': { '1.29': { enum: ['A'], default: 'A' }, '1.31': { enum: ['A', 'B'], maxLength: null } },
  };
  expect(cut(schema, '1.27')).toEqual({ type: 'string', enum: ['A'], default: 'A' });
  expect(cut(schema, '1.30')).toEqual({ type: 'string', enum: ['A', 'B'] });
  expect(cut(schema, '1.36')).toEqual({ type: 'string', enum: ['A', 'B', 'C'], maxLength: 30 });
});

it('returns a schema without such keywords unchanged', () => {
  const schema: Schema = { type: 'object', properties: { a: { type: 'array', items: text } }, required: ['a'] };
  expect(cut(schema, '1.27')).toBe(schema);
});
