import { describe, expect, it } from 'vitest';
import type { OpenApiSchema } from '../../../../client/dynamic/open-api-schema.js';
import { toSchema } from '../../../../client/dynamic/to-schema.js';

const refTo = (name: string): OpenApiSchema => ({ $ref: `#/components/schemas/${name}` });
const objectOf = (properties: Record<string, OpenApiSchema>): OpenApiSchema => ({ type: 'object', properties });

describe('toSchema', () => {
  it('makes one schema of a wrapped reference and the keywords around it', () => {
    const schemas = { Size: { type: 'string', maxLength: 9, description: 'how large' } };
    const wrapped = { default: 'a', maxLength: 5, description: 'here', allOf: [refTo('Size')] };
    expect(toSchema({ schema: wrapped, schemas })).toEqual({
      ...{ type: 'string', maxLength: 5, default: 'a', allOf: [{ maxLength: 9 }], 'x-kindforge-type': 'Size' },
    });
  });

  it('ends at recursive types, and starts again beside them', () => {
    const schemas = { A: objectOf({ b: refTo('B') }), B: objectOf({ a: refTo('A') }) };
    const { properties } = toSchema({ schema: objectOf({ a: refTo('A'), b: refTo('B') }), schemas });
    const a = {
      ...{ type: 'object', 'x-kindforge-type': 'A' },
      properties: {
        b: { type: 'object', 'x-kindforge-type': 'B', properties: { a: { 'x-kindforge-within': 'A' } } },
      },
    };
    expect(properties).toEqual({ a, b: { type: 'object', 'x-kindforge-type': 'B', properties: { a } } });
  });

  it('shares the fields of a type that is used again', () => {
    const schemas = { A: objectOf({ a: { type: 'string' } }) };
    const { properties = {} } = toSchema({ schema: objectOf({ x: refTo('A'), y: { allOf: [refTo('A')] } }), schemas });
    expect(properties.x?.properties).toBe(properties.y?.properties);
  });

  it.each<[OpenApiSchema, object]>([
    [
      { type: 'integer', format: 'uint8' },
      { type: 'integer', 'x-kindforge-unknown': true },
    ],
    [
      { type: 'integer', format: 'int32' },
      { type: 'integer', format: 'int32' },
    ],
    [{ type: 'object' }, { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }],
    [
      { type: 'object', additionalProperties: true },
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    ],
    [
      { type: 'array', items: { type: 'boolean' } },
      { type: 'array', items: { type: 'boolean' } },
    ],
    [
      {
        'x-kubernetes-int-or-string': true,
        allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { minimum: 1 }],
      },
      { 'x-kubernetes-int-or-string': true, allOf: [{ minimum: 1, 'x-kubernetes-preserve-unknown-fields': true }] },
    ],
  ])('converts %j to %j', (schema, made) => {
    const { properties } = toSchema({ schema: objectOf({ v: schema }), schemas: {} });
    expect(properties?.v).toMatchObject(made);
  });
});
