/** The key of a structure depends on everything in a schema, except the parts that belong to its field. */
import { describe, expect, it } from 'vitest';
import { structureOf } from '../../../../generator/emit/structures.js';
import type { Schema } from '../../../../runtime/contract/index.js';

const address: Schema = {
  type: 'object',
  required: ['street'],
  properties: { street: { type: 'string', description: 'With the number.' }, floor: { type: 'integer', maximum: 5n } },
};
const street = (schema: Schema): Schema => ({ ...address, properties: { ...address.properties, street: schema } });
const keyOf = (schema: Schema): string => structureOf(schema).key;

describe('the key of a structure', () => {
  it('does not depend on the description, default and nullable of a field', () => {
    expect(keyOf({ ...address, description: 'Where to.', default: {}, nullable: true })).toBe(keyOf(address));
  });

  it.each([
    ['a description within', street({ type: 'string', description: 'Other words.' })],
    ['a default within', street({ type: 'string', description: 'With the number.', default: 'x' })],
    ['a null within', street({ type: 'string', description: 'With the number.', nullable: true })],
    ['a keyword', { ...address, minProperties: 1 }],
    ['what is required', { ...address, required: [] }],
    [
      'the order of fields',
      { ...address, properties: Object.fromEntries(Object.entries(address.properties ?? {}).reverse()) },
    ],
    [
      'an integer that only looks the same',
      { ...address, properties: { ...address.properties, floor: { type: 'integer', maximum: 5 } } },
    ],
  ] satisfies readonly (readonly [string, Schema])[])('differs by %s', (_name, other) => {
    expect(keyOf(other)).not.toBe(keyOf(address));
  });

  it('differs between a list, a map and their members', () => {
    const items = address;
    const keys = [
      keyOf(address),
      keyOf({ type: 'object', items }),
      keyOf({ type: 'object', additionalProperties: items }),
    ];
    expect(new Set(keys).size).toBe(3);
  });
});
