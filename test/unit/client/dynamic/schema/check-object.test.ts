/** Objects held against schemas, by paths and messages. */
import { describe, expect, it } from 'vitest';
import { checkAgainst } from '../../../../../client/dynamic/schema/check-object.js';
import type { OpenApiSchema } from '../../../../../client/dynamic/schema/open-api-schema.js';

const schemas: Record<string, OpenApiSchema> = {
  Port: {
    type: 'object',
    required: ['port', 'protocol'],
    properties: { port: { type: 'integer', maximum: 65535 }, protocol: { type: 'string', default: 'TCP' } },
  },
  Loop: { allOf: [{ $ref: '#/components/schemas/Loop' }] },
};

const schema: OpenApiSchema = {
  type: 'object',
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      properties: {
        size: { type: 'string', enum: ['small', 'large'] },
        count: { type: 'integer', minimum: 0, multipleOf: 2 },
        share: { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 1, exclusiveMaximum: true },
        wide: { type: 'integer', format: 'int64' },
        on: { type: 'boolean' },
        name: { type: 'string', minLength: 2, maxLength: 3, pattern: '^[a-z😀]+$' },
        odd: { type: 'string', pattern: '(?i)x' },
        list: { type: 'array', maxItems: 2, minItems: 1, items: { type: 'string' } },
        labels: { type: 'object', maxProperties: 2, additionalProperties: { type: 'string' } },
        ports: { type: 'array', items: { default: {}, allOf: [{ $ref: '#/components/schemas/Port' }] } },
        port: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
        either: { type: 'object', properties: { a: {}, b: {} }, oneOf: [{ required: ['a'] }, { required: ['b'] }] },
        never: { type: 'string', not: { enum: ['no'] } },
        free: { type: 'object' },
        open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { a: { type: 'string' } } },
        template: { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { spec: { type: 'string' } } },
        loop: { $ref: '#/components/schemas/Loop' },
      },
    },
  },
};

const findings = (spec: unknown): string[] =>
  checkAgainst({ spec }, { schema, schemas }).map(({ path, reason, message }) => `${path}: ${reason}: ${message}`);

describe('checkAgainst', () => {
  it('finds nothing in what fits', () => {
    expect(
      findings({
        ...{ size: 'small', count: 2, share: 0.5, wide: 9223372036854775807n, on: true, name: '😀ab', odd: 'X' },
        ...{ list: ['a'], labels: { 'a.b/c': 'd' }, ports: [{ port: 80 }], port: 'http', either: { a: 1 } },
        ...{ never: 'yes', free: { x: [1] }, open: { b: 1 }, loop: { any: 1 } },
        ...{ template: { apiVersion: 'v1', kind: 'X', metadata: {}, spec: '' } },
      }),
    ).toEqual([]);
    expect(findings({ size: null, port: 80 })).toEqual([]);
  });

  it.each([
    [{ size: 'middle' }, 'spec.size: value: must be one of "small", "large"'],
    [{ size: 1 }, 'spec.size: type: must be a string, and is an integer'],
    [{ count: -2 }, 'spec.count: value: must be at least 0'],
    [{ count: 3 }, 'spec.count: value: must be a multiple of 2'],
    [{ count: 1.5 }, 'spec.count: type: must be an integer, and is a number'],
    [{ share: 0 }, 'spec.share: value: must be more than 0'],
    [{ share: 1 }, 'spec.share: value: must be less than 1'],
    [{ on: 'yes' }, 'spec.on: type: must be a boolean, and is a string'],
    [{ name: 'a' }, 'spec.name: value: must have at least 2 characters, and has 1'],
    [{ name: 'abcd' }, 'spec.name: value: must have at most 3 characters, and has 4'],
    [{ name: 'AB' }, 'spec.name: value: must match ^[a-z😀]+$'],
    [{ list: [] }, 'spec.list: value: must have at least 1 items, and has 0'],
    [{ list: ['a', 1] }, 'spec.list[1]: type: must be a string, and is an integer'],
    [{ list: {} }, 'spec.list: type: must be a list, and is an object'],
    [{ labels: { 'a.b': 1 } }, 'spec.labels["a.b"]: type: must be a string, and is an integer'],
    [{ ports: [{}] }, 'spec.ports[0].port: missing: is required'],
    [{ ports: [{ port: 70000 }] }, 'spec.ports[0].port: value: must be at most 65535'],
    [{ ports: [{ port: 1, prot: 1 }] }, 'spec.ports[0].prot: unknown: is no field of the schema'],
    [{ port: true }, 'spec.port: type: must be an integer or a string, and is a boolean'],
    [{ either: {} }, 'spec.either: value: must fit exactly one of the alternatives of the schema'],
    [{ either: { a: 1, b: 1 } }, 'spec.either: value: must fit exactly one of the alternatives of the schema'],
    [{ never: 'no' }, 'spec.never: value: is what the schema excludes'],
    [{ open: { a: 1 } }, 'spec.open.a: type: must be a string, and is an integer'],
    [{ template: { status: 1 } }, 'spec.template.status: unknown: is no field of the schema'],
    [{ Counts: 2 }, 'spec.Counts: unknown: is no field of the schema; is count meant?'],
    [[], 'spec: type: must be an object, and is a list'],
  ])('finds in %j', (spec, finding) => {
    expect(findings(spec)).toEqual([finding]);
  });

  it('finds everything at once', () => {
    expect(checkAgainst({ colour: 1 }, { schema, schemas }).map(({ path }) => path)).toEqual(['colour', 'spec']);
  });
});
