/** Replays a public table about combinations in a schema, which may name only fields that the schema has itself. */
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../../runtime/contract/index.js';
import { isObject, objectAt } from '../../../../../runtime/objects/guards.js';
import { structuralErrors } from '../../../../../runtime/schema/structural/index.js';
import { tableRows } from '../../../../support/shared.js';

interface Case {
  readonly name: string;
  readonly schema: JsonObject;
  readonly options: JsonObject;
  readonly error: string;
}

/** Rows with options are from later releases, which allow more in combinations. */
const cases = tableRows<Case>('apiextensions-apiserver_pkg_apiserver_schema')
  .filter(({ test }) => test === 'TestValidateStructuralCompleteness')
  .map((row) => row.case)
  .filter(({ options }) => Object.keys(options).length === 0);

/** Joins a schema, which the rows split into its type and the rules for values. */
function written(value: JsonValue | undefined): JsonObject {
  if (!isObject(value)) return {};
  const { Properties, Items, AdditionalProperties, Generic, ValueValidation } = value;
  const asked = isObject(ValueValidation) ? ValueValidation : {};
  const type = isObject(Generic) ? Generic.Type : undefined;
  const properties = Object.entries(isObject(Properties) ? Properties : {}).map(([name, one]) => [name, written(one)]);
  return {
    ...(type === undefined ? {} : { type }),
    ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
    ...(isObject(Items) ? { items: written(Items) } : {}),
    ...(isObject(AdditionalProperties)
      ? { additionalProperties: written(objectAt(AdditionalProperties, 'Structural') ?? AdditionalProperties) }
      : {}),
    ...(asked.MinLength === undefined ? {} : { minLength: asked.MinLength }),
    ...(Array.isArray(asked.AllOf) ? { allOf: asked.AllOf.map(written) } : {}),
  };
}

describe.skipIf(cases.length === 0)('tables (skipped if they are not beside the checkout)', () => {
  it.each(cases.map((one) => [one.name, one] as const))('%s', (_, { schema, error }) => {
    const found = structuralErrors(written(schema), '')
      .filter(({ message }) => message.includes('because it is defined in'))
      .map(({ field, message }) => `${field.replace(/^\./, '')}: ${message.replace('in .', 'in ')}`);
    expect(found.join()).toBe(error);
  });

  it('exist', () => expect(cases.length).toBe(5));
});
