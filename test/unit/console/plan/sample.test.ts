/** Samples of kinds, made from their schemas. */
import { describe, expect, it } from 'vitest';
import type { OpenApiSchema, ServedKind } from '../../../../client/index.js';
import { sampleOf } from '../../../../packages/console/src/plan/sample.js';

const kind: ServedKind = {
  group: 'shop.example.com',
  version: 'v1',
  plural: 'widgets',
  singular: 'widget',
  kind: 'Widget',
  scope: 'Namespaced',
  subresources: [],
  verbs: ['create'],
  shortNames: [],
  categories: [],
  isPreferred: true,
};

describe('a sample', () => {
  it('has the fields that the schema requires, with defaults and first values', () => {
    const schema: OpenApiSchema = {
      type: 'object',
      required: ['spec'],
      properties: {
        spec: {
          type: 'object',
          default: {},
          required: ['size', 'count', 'parts', 'on', 'colour', 'at', 'inner'],
          properties: {
            size: { type: 'string', enum: ['S', 'M'] },
            count: { type: 'integer', minimum: 2 },
            parts: { type: 'array', minItems: 1, items: { $ref: '#/components/schemas/Part' } },
            on: { type: 'boolean' },
            colour: { type: 'string', default: 'red' },
            at: { type: 'string', format: 'date-time' },
            inner: { type: 'object', required: ['deep'], properties: { deep: { type: 'number' } } },
            optional: { type: 'string' },
          },
        },
      },
    };
    const schemas = {
      Part: { type: 'object', required: ['name'], properties: { name: { type: 'string', minLength: 2 } } },
    };
    expect(sampleOf(kind, { schema, schemas }, 'shop')).toEqual({
      apiVersion: 'shop.example.com/v1',
      kind: 'Widget',
      metadata: { name: 'my-widget', namespace: 'shop' },
      spec: {
        size: 'S',
        count: 2,
        parts: [{ name: 'xx' }],
        on: false,
        colour: 'red',
        at: '2026-01-01T00:00:00Z',
        inner: { deep: 0 },
      },
    });
  });

  it('ends in schemas that require themselves, and works without a schema', () => {
    const schemas: Record<string, OpenApiSchema> = {
      Node: { type: 'object', required: ['next'], properties: { next: { $ref: '#/components/schemas/Node' } } },
    };
    const schema: OpenApiSchema = { properties: { spec: { $ref: '#/components/schemas/Node' } } };
    expect(JSON.stringify(sampleOf(kind, { schema, schemas }, ''))).toMatch(/^.{0,300}$/);
    expect(sampleOf({ ...kind, scope: 'Cluster' }, undefined, '')).toEqual({
      apiVersion: 'shop.example.com/v1',
      kind: 'Widget',
      metadata: { name: 'my-widget' },
    });
  });

  it('has optional fields if it is full, with examples and defaults, but nothing empty, read-only or deprecated', () => {
    const text: OpenApiSchema = { type: 'string' };
    const schema: OpenApiSchema = {
      properties: {
        data: { type: 'object', additionalProperties: text },
        status: { type: 'object', properties: { a: text } },
        spec: {
          type: 'object',
          properties: {
            size: { type: 'string', example: 'L', default: 'S' },
            count: { type: 'integer', default: 3 },
            port: { 'x-kubernetes-int-or-string': true },
            parts: { type: 'array', items: { type: 'object', properties: { name: { type: 'string', enum: ['a'] } } } },
            old: { type: 'string', deprecated: true },
            set: { type: 'string', readOnly: true },
            nothing: { type: 'object' },
          },
        },
      },
    };
    const { spec, data, status } = sampleOf(kind, { schema, schemas: {} }, 'shop', true);
    expect(spec).toEqual({ size: 'L', count: 3, port: 1, parts: [{ name: 'a' }] });
    expect(data).toEqual({ key: '' });
    expect(status).toBeUndefined();
    expect(sampleOf(kind, { schema, schemas: {} }, 'shop')).toMatchObject({ spec: {} });
  });

  it('stays readable: a wide and endless schema gives only its outer fields', () => {
    const schemas: Record<string, OpenApiSchema> = {
      Node: {
        type: 'object',
        properties: Object.fromEntries(
          Array.from({ length: 40 }, (_, i) => [
            `f${i}`,
            i % 2 ? { type: 'string' } : { $ref: '#/components/schemas/Node' },
          ]),
        ),
      },
    };
    const schema: OpenApiSchema = { properties: { spec: { $ref: '#/components/schemas/Node' } } };
    const { spec } = sampleOf(kind, { schema, schemas }, '', true);
    expect(Object.keys(spec ?? {})).toHaveLength(20);
  });
});
