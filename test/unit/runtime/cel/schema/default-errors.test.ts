/** Replays public tables about rules on defaults. */
import { describe, expect, it } from 'vitest';
import { baseEnvironment, checkDefaults, laterEnvironment } from '../../../../../runtime/cel/index.js';
import type { JsonObject, JsonValue, Schema } from '../../../../../runtime/contract/index.js';
import { isObject, objectAt } from '../../../../../runtime/objects/guards.js';
import { PLAIN, readSchema } from '../../../../../runtime/schema/read-schema.js';
import { tableRows } from '../../../../support/shared.js';

interface Case {
  readonly name: string;
  readonly input: JsonObject;
  readonly errors?: readonly string[];
}

const cases = tableRows<Case>('apiextensions-apiserver_pkg_apiserver_schema_defaulting')
  .filter(({ test }) => test.startsWith('TestDefaultValidation'))
  .map((row) => row.case);

/** Rewrites keywords, because the rows use the names in the program. */
function written(value: JsonValue | undefined): JsonValue {
  if (Array.isArray(value)) return value.map(written);
  if (!isObject(value)) return value ?? null;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (key === 'Properties') return ['properties', namesOf(inner)];
      if (key === 'Default') return ['default', inner];
      const name = { XValidations: 'x-kubernetes-validations', XEmbeddedResource: 'x-kubernetes-embedded-resource' }[
        key
      ];
      return [name ?? key.charAt(0).toLowerCase() + key.slice(1), written(inner)];
    }),
  );
}

const namesOf = (value: JsonValue | undefined): JsonValue =>
  Object.fromEntries(Object.entries(isObject(value) ? value : {}).map(([name, inner]) => [name, written(inner)]));

/** Yields the schemas with a default inside a schema. */
function* defaulted(schema: Schema): Generator<Schema> {
  if (schema.default !== undefined) yield schema;
  for (const property of Object.values(schema.properties ?? {})) yield* defaulted(property);
}

const problemsOf = (schema: Schema, release = laterEnvironment): readonly string[] =>
  checkDefaults([...defaulted(schema)], release, {}).flatMap(({ refused, broken }) =>
    [...refused, ...broken].map(({ message }) => message),
  );

describe.skipIf(cases.length === 0)('tables (skipped if they are not beside the checkout)', () => {
  it.each(cases.map((one) => [one.name, one] as const))('%s', (_, { input, errors = [] }) => {
    const found = problemsOf(readSchema(written(objectAt(input, 'OpenAPIV3Schema')), PLAIN));
    expect(found.length).toBe(errors.length);
    for (const [i, error] of errors.entries()) expect(found[i]).toContain(error);
  });

  it('exist', () => expect(cases.length).toBe(3));
});

const excluded = (path: string): string => `Invalid value: "": "${path}" must not validate the schema (not)`;

describe('a default', () => {
  const fixed: Schema = { type: 'string', default: 'a', 'x-kubernetes-validations': [{ rule: 'self != oldSelf' }] };

  it.each<[string, Schema, string[]]>([
    [
      'a pattern of integers or strings',
      { 'x-kubernetes-int-or-string': true, pattern: '^\\d+%$', default: 'abc' },
      [`Invalid value: "abc":  in body should match '^\\d+%$'`],
    ],
    [
      'a bound of integers or strings',
      { 'x-kubernetes-int-or-string': true, maximum: 5, default: 9 },
      ['Invalid value: 9:  in body should be less than or equal to 5'],
    ],
    ['what excludes it', { type: 'string', not: { enum: ['a'] }, default: 'a' }, [excluded('')]],
    [
      'what excludes a part of it',
      { type: 'object', properties: { a: { type: 'string', not: { enum: ['a'] } } }, default: { a: 'a' } },
      [excluded('a')],
    ],
  ])('breaks %s', (_, schema, problems) => expect(problemsOf(schema)).toEqual(problems));

  it('of integers or strings may be of any type, as in the reference, except in native definitions', () => {
    const either: Schema = { 'x-kubernetes-int-or-string': true };
    const said: Schema = { ...either, allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { maximum: 5 }] };
    const list: Schema = { type: 'array', items: said, default: [true] };
    for (const schema of [{ ...either, default: true }, { ...said, default: true }, list]) {
      expect(problemsOf(schema)).toEqual([]);
      const [found] = checkDefaults([schema], laterEnvironment, { eitherType: true });
      expect(found?.refused.map(({ reason }) => reason)).toContain('FieldValueTypeInvalid');
    }
    expect(problemsOf({ ...said, default: 6 })).toHaveLength(2);
  });

  it('comes after nothing, and in release 1.27 after itself', () => {
    expect(problemsOf(fixed)).toEqual([]);
    expect(problemsOf(fixed, baseEnvironment)).toEqual(['Invalid value: "string": failed rule: self != oldSelf']);
  });
});
