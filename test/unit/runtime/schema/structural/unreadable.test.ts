/** The condition of a definition with schemas that are not structural. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../../runtime/contract/index.js';
import { nonStructuralSchema, structuralErrors } from '../../../../../runtime/schema/structural/index.js';

const specOf = (schema: JsonObject, more: JsonObject = {}): JsonObject => ({
  versions: [{ name: 'v1', schema: { openAPIV3Schema: schema } }],
  ...more,
});

describe('the finding on schemas that are not structural', () => {
  it('is absent if they are', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string', anyOf: [{ pattern: 'x' }, { maxLength: 3 }] } },
    };
    expect(nonStructuralSchema(specOf(schema))).toBeUndefined();
  });

  it('names all mistakes', () => {
    const schema = { type: 'object', properties: { a: {}, b: { type: 'array', items: {} } } };
    const at = 'spec.versions[0].schema.openAPIV3Schema.properties';
    expect(nonStructuralSchema(specOf(schema, { preserveUnknownFields: true }))).toEqual({
      status: 'True',
      reason: 'Violations',
      message:
        '[spec.preserveUnknownFields: Invalid value: true: must be false, ' +
        `${at}[a].type: Required value: must not be empty for specified object fields, ` +
        `${at}[b].items.type: Required value: must not be empty for specified array items]`,
    });
  });

  it('is unknown if a keyword has no place', () => {
    expect(nonStructuralSchema(specOf({ type: 'object', properties: { a: { $ref: '#/b' } } }))).toEqual({
      status: 'Unknown',
      reason: 'StructuralError',
      message: "failed to check validation schema for version v1: OpenAPIV3Schema '$ref' is not supported",
    });
  });
});

describe('rules on values', () => {
  it('use only fields of the schema', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'object' } },
      not: { properties: { b: { enum: ['x'] } } },
    };
    expect(structuralErrors(schema, 's')).toEqual([
      {
        reason: 'FieldValueRequired',
        field: 's.properties[b]',
        message: 'Required value: because it is defined in s.not.properties[b]',
      },
    ]);
  });

  it('may name the two types of an integer or string, in this order and alone', () => {
    const choice = (anyOf: JsonObject[]): JsonObject => ({
      type: 'object',
      properties: { a: { 'x-kubernetes-int-or-string': true, anyOf } },
    });
    expect(structuralErrors(choice([{ type: 'integer' }, { type: 'string' }]), 's')).toEqual([]);
    expect(structuralErrors(choice([{ type: 'string' }, { type: 'integer' }]), 's')).toHaveLength(2);
    expect(structuralErrors(choice([{ type: 'integer' }, { type: 'string', maxLength: 3 }]), 's')).toHaveLength(2);
  });
});
