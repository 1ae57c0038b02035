/** Properties of the engine for all schemas and objects. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FieldError, JsonObject, Schema, SchemaFunctions } from '../../../../../runtime/contract/index.js';
import { clone } from '../../../../../runtime/objects/clone.js';
import { type SchemaOptions, schemaFunctions } from '../../../../../runtime/schema/index.js';
import { fittingObject, structuralSchema } from '../../../../support/arbitrary-schemas.js';
import { typedSchema } from '../../../../support/arbitrary-typed-schemas.js';
import { builtInDefinitions } from '../../../../support/built-in-definitions.js';
import { functionsOf, run } from '../../../../support/compiled.js';
import { effort } from '../../../../support/effort.js';

const seed = 20240229;
const runs = effort('KINDFORGE_SCHEMA_RUNS', 80, 300);

/** Returns the same object with its properties in another order. */
function turned(value: JsonObject): JsonObject {
  const entries = Object.entries(value).map(([key, inner]) => [key, isPlain(inner) ? turned(inner) : inner] as const);
  return Object.fromEntries(entries.reverse());
}

const isPlain = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns errors as texts, sorted, because errors of a map have the order of its keys. */
const texts = (errors: readonly FieldError[]): string[] =>
  errors.map(({ field, message }) => `${field} ${message}`).sort();

/** Checks everything that must be true of any object. */
function hold(functions: SchemaFunctions, object: JsonObject): void {
  const first = run(functions, clone(object));
  const other = run(functions, turned(clone(object)));
  expect(other.unreadable === undefined).toBe(first.unreadable === undefined);
  if (first.unreadable !== undefined) return;
  expect(other.object).toEqual(first.object);
  expect(texts(other.errors)).toEqual(texts(first.errors));
  expect([...other.unknown].sort()).toEqual([...first.unknown].sort());
  // Valid values do not change when they are decoded again.
  if (first.errors.length === 0) expect(run(functions, clone(first.object))).toEqual({ ...first, unknown: [] });
  // Validation changes nothing, and an object without changes is not an update.
  const changes: FieldError[] = [];
  functions.validateUpdate?.(first.object, clone(first.object), changes);
  expect(changes).toEqual([]);
}

function holdForAll(schemas: fc.Arbitrary<Schema>, options: SchemaOptions): void {
  const cases = schemas.chain((schema) => fc.tuple(fc.constant(schema), fittingObject(schema), fittingObject(schema)));
  const property = fc.property(cases, ([schema, ...objects]) => {
    for (const object of objects) hold(functionsOf(schema, options), object);
  });
  fc.assert(property, { seed, numRuns: runs });
}

describe('removing nulls', () => {
  it('adds nothing, and leaves the rest to defaults', () => {
    const cases = structuralSchema.chain((schema) => fc.tuple(fc.constant(schema), fittingObject(schema)));
    const property = fc.property(cases, ([schema, object]) => {
      const { applyDefaults, replaceNulls } = functionsOf(schema);
      const [defaulted, cleaned] = [clone(object), clone(object)];
      applyDefaults(defaulted);
      replaceNulls?.(cleaned);
      const again = clone(cleaned);
      replaceNulls?.(again);
      expect(again).toEqual(cleaned);
      applyDefaults(cleaned);
      expect(cleaned).toEqual(defaulted);
    });
    fc.assert(property, { seed, numRuns: runs });
  });

  it.each<[JsonObject, JsonObject]>([
    [
      { plain: null, kept: null, filled: null, list: [{ plain: null }, null], map: { a: null, b: { plain: null } } },
      { kept: null, filled: 'x', list: [{}, null], map: { b: {} } },
    ],
    [{}, {}],
    [{ other: null }, { other: null }],
  ])('makes %j to %j', (object, cleaned) => {
    const inner: Schema = {
      type: 'object',
      properties: { plain: { type: 'string' }, filled: { type: 'string', default: 'y' } },
    };
    const schema: Schema = {
      type: 'object',
      properties: {
        plain: { type: 'string' },
        kept: { type: 'string', nullable: true },
        filled: { type: 'string', default: 'x' },
        list: { type: 'array', items: inner },
        map: { type: 'object', additionalProperties: inner },
      },
    };
    functionsOf(schema).replaceNulls?.(object);
    expect(object).toEqual(cleaned);
  });
});

describe('decoding and checking', () => {
  it('do not depend on the order of properties, and do not change valid values', () => {
    holdForAll(structuralSchema, { decoding: 'structural' });
    holdForAll(typedSchema, { decoding: 'typed', kind: 'Thing' });
  });

  it('do so for the kinds of this project', { timeout: 300_000 }, () => {
    for (const { names, versions, decoding } of builtInDefinitions().model.resources) {
      for (const { schema, name } of versions) {
        const functions = schemaFunctions(schema, { decoding, kind: names.kind, version: name });
        const property = fc.property(fittingObject(schema), (object) => hold(functions, object));
        fc.assert(property, { seed, numRuns: Math.ceil(runs / 40) });
      }
    }
  });
});

describe('mistakes and errors', () => {
  const integer = { type: 'integer' } as const;
  const schema: Schema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { a: integer, b: integer } } },
  };

  it('come in the order of the schema, whatever the order of the object', () => {
    const object = (): JsonObject => ({ spec: { b: 'x', a: true } });
    expect(run(functionsOf(schema), object()).errors.map(({ field }) => field)).toEqual(['spec.a', 'spec.b']);
    const typed = schemaFunctions(schema, { decoding: 'typed', kind: 'Thing' });
    expect(run(typed, object()).unreadable).toContain('cannot unmarshal bool into Go struct field ThingSpec.spec.a');
  });
});

describe('a compiled schema', () => {
  it('shares its common parts with others, and nothing else', () => {
    const properties = { name: { type: 'string', default: 'a' } } as const;
    const plain = functionsOf({ type: 'object', properties: { spec: { type: 'object', properties } } });
    const required: Schema = { type: 'object', properties, required: ['other'] };
    const strict = functionsOf({ type: 'object', properties: { spec: required } });
    expect(run(plain, { spec: {} })).toMatchObject({ object: { spec: { name: 'a' } }, errors: [] });
    expect(run(strict, { spec: {} }).errors.map(({ field }) => field)).toEqual(['spec.other']);
  });

  it('takes no longer for parts that occur often than for deep parts', () => {
    const nested = (depth: number): Schema => {
      if (depth === 0) return { type: 'string' };
      const inner = nested(depth - 1);
      return { type: 'object', properties: { a: inner, b: inner } };
    };
    // Without sharing, these are 2^40 nodes.
    expect(run(functionsOf(nested(40)), { a: { b: { c: 1 } } }).unknown).toEqual(['a.b.c']);
  });
});
