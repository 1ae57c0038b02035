/** Checks single values with schemas. */
import { describe, expect, it } from 'vitest';
import type { JsonValue, Schema } from '../../../../../runtime/contract/index.js';
import { takesValue } from '../../../../../runtime/schema/index.js';

describe('takesValue', () => {
  it.each<[JsonValue, Schema, boolean]>([
    ['a', { type: 'string', maxLength: 1 }, true],
    ['ab', { type: 'string', maxLength: 1 }, false],
    ['😀', { type: 'string', maxLength: 1 }, true],
    [1.5, { type: 'number', multipleOf: 0.5 }, true],
    [1.5, { type: 'integer' }, false],
    [{ a: [1] }, { type: 'object', properties: { a: { type: 'array', items: { type: 'string' } } } }, false],
    ['a', { type: 'string', not: { enum: ['a'] } }, false],
    ['a', { type: 'string', pattern: '(?=a)' }, true],
    ['a', { type: 'string', not: { pattern: '(?=a)' } }, true],
  ])('checks %j by %j: %s', (value, schema, taken) => expect(takesValue(schema, value)).toBe(taken));
});
