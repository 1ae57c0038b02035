/** Applies one difference to a schema, whatever else is different. */
import { expect, it } from 'vitest';
import { compareSchemas } from '../../../../../generator/diff/compare/compare-schemas.js';
import { withDifference } from '../../../../../generator/diff/proof/apply-difference.js';
import { placed } from '../../../../../generator/diff/proof/place.js';
import type { Schema } from '../../../../../runtime/contract/index.js';

const rules = (...texts: string[]): Schema => ({ 'x-kubernetes-validations': texts.map((rule) => ({ rule })) });
const old: Schema = {
  type: 'object',
  properties: {
    a: { type: 'string', maxLength: 5, pattern: '^a' },
    gone: { type: 'string' },
    list: { type: 'array', items: { type: 'object', properties: { b: { type: 'string' } } } },
    m: { type: 'object', additionalProperties: { type: 'string' }, ...rules('one', 'two') },
  },
};
const later: Schema = {
  type: 'object',
  required: ['a'],
  properties: {
    a: { type: 'string', maxLength: 3, pattern: '^b' },
    list: { type: 'array', items: { type: 'object', properties: { b: { type: 'integer' } } } },
    m: { type: 'object', additionalProperties: { type: 'string', minLength: 1 }, ...rules('two', 'three') },
  },
};

const differences = compareSchemas(old, later).map((each) => ({ resource: 'things', version: 'v1', ...each }));

it('all differences, one after the other, lead from one schema to the other', () => {
  expect(differences.length).toBeGreaterThan(6);
  const result = differences.reduce((schema, difference) => {
    const place = placed(difference);
    return place === undefined ? schema : withDifference(schema, later, place);
  }, old);
  expect(compareSchemas(result, later)).toEqual([]);
});

it.each(differences.map((difference) => [`${difference.path} ${difference.keyword}`, difference] as const))(
  '%s changes nothing else',
  (_name, difference) => {
    const place = placed(difference);
    const changed = place === undefined ? old : withDifference(old, later, place);
    expect(compareSchemas(old, changed)).toEqual([expect.objectContaining({ keyword: difference.keyword })]);
  },
);
