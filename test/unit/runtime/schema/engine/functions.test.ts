/** Rules that hold for the functions of every schema. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FieldError, JsonObject, Schema } from '../../../../../runtime/contract/index.js';
import { schemaFunctions } from '../../../../../runtime/schema/index.js';
import { functionsOf, run } from '../../../../support/compiled.js';

const web: Schema = {
  type: 'object',
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      properties: {
        replicas: { type: 'integer', minimum: 0, default: 1 },
        name: { type: 'string', maxLength: 63, pattern: '^[a-z]+$' },
      },
    },
  },
};

describe('texts of a schema', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      "'",
      '`',
      ['$', '{1}'].join(''),
      "', '",
      '2fa',
      '\\',
      '*/',
      '\u2028',
      '\n',
      '</script>',
      '__proto__',
      'constructor',
    ),
  );

  it('are data everywhere', () => {
    const property = fc.property(hostile, hostile, hostile, (name, value, pattern) => {
      const schema: Schema = {
        type: 'object',
        required: [name],
        properties: {
          spec: {
            type: 'object',
            required: [name],
            properties: { [name]: { type: 'string', enum: [value], pattern } },
          },
          list: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': [name],
            items: { type: 'object', default: { [name]: value } },
          },
        },
      };
      const { errors, unknown } = run(functionsOf(schema), { spec: {}, list: [null] });
      expect(unknown).toEqual([]);
      expect(errors.map(({ field }) => field)).toContain(`spec.${name}`);
    });
    fc.assert(property, { seed: 7, numRuns: 500 });
  });

  it('are data in lists that are split into lines', () => {
    const values = fc.uniqueArray(hostile, { minLength: 20, maxLength: 40 });
    const property = fc.property(values, ([first = '', ...rest]) => {
      const schema: Schema = { type: 'object', properties: { a: { type: 'string', enum: rest } } };
      for (const value of rest) expect(run(functionsOf(schema), { a: value }).errors).toEqual([]);
      expect(run(functionsOf(schema), { a: first }).errors).toHaveLength(1);
    });
    fc.assert(property, { seed: 9, numRuns: 100 });
  });

  it('list known fields only on request', () => {
    const a = { type: 'string', enum: ['x'], 'x-kindforge-unchecked': true } as const;
    const schema: Schema = { type: 'object', properties: { spec: { type: 'object', properties: { a } } } };
    const typed = functionsOf(schema, { decoding: 'typed', kind: 'Thing' });
    expect(run(typed, { spec: { a: 'y' } }).errors).toEqual([]);
    expect(run(functionsOf({ ...schema }), { spec: { a: 'y' } }).errors).toHaveLength(1);
    const spec = { type: 'object', required: ['a'], properties: { a: { type: 'string' } } } as const;
    const requires = (keywords: Schema) =>
      functionsOf(
        { type: 'object', properties: { spec: { ...spec, ...keywords } } },
        { decoding: 'typed', kind: 'Thing' },
      );
    expect(run(requires({ 'x-kindforge-unchecked': true }), { spec: {} }).errors).toEqual([]);
    expect(run(requires({}), { spec: {} }).errors).toHaveLength(1);
  });

  it('are data in the words and names of typed kinds', () => {
    const property = fc.property(hostile, hostile, hostile, (name, shown, words) => {
      const schema: Schema = {
        type: 'object',
        properties: {
          spec: {
            type: 'object',
            properties: {
              [name]: {
                type: 'string',
                minLength: 1000,
                'x-kindforge-report-as': `in ${shown}`,
                'x-kindforge-immutable': { message: `as ${words}` },
                'x-kindforge-messages': { minLength: `as ${words}` },
              },
            },
          },
        },
      };
      const functions = functionsOf(schema, { decoding: 'typed', kind: 'Thing' });
      const { errors, object } = run(functions, { spec: { [name]: 'x' } });
      expect(errors.map(({ field, message }) => `${field} ${message}`)).toEqual([
        `spec.in ${shown} Invalid value: "x": as ${words}`,
      ]);
      const changes: FieldError[] = [];
      functions.validateUpdate?.(object, { spec: {} }, changes);
      expect(changes.map(({ message }) => message)).toEqual([`Invalid value: "x": as ${words}`]);
    });
    fc.assert(property, { seed: 10, numRuns: 500 });
  });

  it('are data in the names of kinds too', () => {
    const property = fc.property(hostile, (kind) => {
      for (const decoding of ['structural', 'typed'] as const) {
        schemaFunctions(web, { decoding, kind, version: kind });
      }
    });
    fc.assert(property, { seed: 8, numRuns: 300 });
  });
});

describe('functions of schemas', () => {
  it('do not change the prototypes of objects', () => {
    const schema: Schema = {
      type: 'object',
      properties: { spec: { type: 'object', properties: { a: { type: 'string', default: 'x' } } } },
    };
    const object: JsonObject = JSON.parse('{"spec":{"__proto__":{"a":"y"},"constructor":{"prototype":{"a":1}}}}');
    const { unknown, errors } = run(functionsOf(schema), object);
    expect(unknown).toEqual(['spec.__proto__', 'spec.constructor']);
    expect(errors).toEqual([]);
    expect(object).toEqual({ spec: { a: 'x' } });
    expect(Reflect.get({}, 'a')).toBeUndefined();
  });

  it('distinguish own properties from inherited ones', () => {
    const own: [string, Schema][] = [
      ['constructor', { type: 'string' }],
      ['toString', { type: 'string', default: 'x' }],
    ];
    const schema: Schema = { type: 'object', required: own.map(([name]) => name), properties: Object.fromEntries(own) };
    const { errors, object } = run(functionsOf(schema), {});
    expect(errors.map(({ field }) => field)).toEqual(['constructor']);
    expect(Object.entries(object)).toEqual([['toString', 'x']]);
  });

  it('give each object its own default', () => {
    const schema: Schema = {
      type: 'object',
      properties: { list: { type: 'array', items: { type: 'string' }, default: ['a'] } },
    };
    const [first, second] = [run(functionsOf(schema), {}).object, run(functionsOf(schema), {}).object];
    expect(first).toEqual(second);
    expect(first.list).not.toBe(second.list);
  });

  it('report the first thousand errors', () => {
    const schema: Schema = { type: 'object', properties: { list: { type: 'array', items: { type: 'integer' } } } };
    const errors: FieldError[] = [];
    functionsOf(schema).validate({ list: Array.from({ length: 100_000 }, () => 'x') }, errors);
    expect(errors).toHaveLength(1000);
    expect(errors.at(-1)?.field).toBe('list[999]');
  });

  it('report the first thousand unknown fields, and remove all', () => {
    const object: JsonObject = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`x${i}`, i]));
    const unknown: string[] = [];
    functionsOf({ type: 'object' }).prune(object, (path) => unknown.push(path));
    expect(unknown).toHaveLength(1000);
    expect(object).toEqual({});
  });

  it('stop once errors are as long as an answer may be', () => {
    const name = 'x'.repeat(1000);
    const schema: Schema = {
      type: 'object',
      additionalProperties: { type: 'object', additionalProperties: { type: 'integer' } },
    };
    const inner = Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`${name}${i}`, '']));
    const errors: FieldError[] = [];
    functionsOf(schema).validate({ [name]: inner }, errors);
    expect(errors.length).toBeGreaterThan(100);
    expect(errors.reduce((sum, { field, message }) => sum + field.length + message.length, 0)).toBeLessThan(1_100_000);
  });
});
