/** The compiled functions against recorded creates of custom resources: one scenario per kind of keyword. */
import { describe, expect, it } from 'vitest';
import type { JsonObject, Schema } from '../../../../runtime/contract/index.js';
import { equal } from '../../../../runtime/objects/equality.js';
import { functionsOf, type Outcome, run } from '../../../support/compiled.js';
import {
  asRecorded,
  type Create,
  causesOf,
  createsIn,
  lineOf,
  partOf,
  type Scenario,
  scenariosOf,
  schemaOf,
} from '../../../support/recorded-creates.js';
import { hasShared } from '../../../support/shared.js';

/** Scenarios whose answers schemas decide, by what their names end with. */
const names = [
  'the schema may restrict name and generateName',
  'fields that the schema does not know are pruned',
  'field validation of custom resources',
  'defaults are filled in',
  'embedded resources',
  'scalar types',
  'string bounds, patterns and enumerations',
  'arrays and objects',
  'combined schemas',
  'string formats, part one',
  'several faults are reported together',
  'set and map lists hold no duplicates',
];

/** Fields that are not the schema's alone. */
const notOfSchemas = ['metadata', 'status', 'kind'];

/** Returns the differences between a recorded response and the result of the functions. */
function differences(create: Create, schema: Schema): string[] {
  const { object, code, answer, warnings, step } = create;
  if (object === undefined) return code === 400 ? [] : [`${step}: is no object`];
  const outcome = run(functionsOf(schema), object);
  const isOwn = (cause: string): boolean => schema.properties?.metadata !== undefined || !cause.startsWith('metadata.');
  return [...(code === 201 ? accepted(outcome, answer, warnings) : refused(outcome, create, isOwn))].map(
    (text) => `${step}: ${text}`,
  );
}

function accepted(
  { errors, object, unknown, unreadable }: Outcome,
  answer: JsonObject,
  warnings: readonly string[],
): string[] {
  if (unreadable !== undefined || errors.length > 0) return [`is refused: ${unreadable ?? errors.map(lineOf).join()}`];
  const found: string[] = [];
  const heard = unknown.map((path) => `299 - ${JSON.stringify(`unknown field "${path}"`)}`);
  if (warnings.length > 0 && heard.join() !== warnings.join()) found.push(`warns ${heard.join()}`);
  for (const [path, value] of Object.entries(answer)) {
    const isOwn = !notOfSchemas.includes(path.split('.')[0] ?? '');
    const own = asRecorded(partOf(object, path) ?? null);
    if (isOwn && !equal(own, value)) found.push(`${path} is ${JSON.stringify(own)}`);
  }
  return found;
}

function refused(
  { errors, unknown, unreadable }: Outcome,
  { code, answer, query }: Create,
  isOwn: (cause: string) => boolean,
): string[] {
  const message = String(answer.message);
  if (code === 422) {
    const [found, expected] = [errors.map(lineOf).sort(), causesOf(answer)?.filter(isOwn).sort()];
    if (expected === undefined)
      return errors.length > 0 && errors.every((error) => message.includes(error.message)) ? [] : [found.join()];
    return found.join() === expected.join() ? [] : [`causes ${found.join()}`];
  }
  const remarks = unknown.map((path) => `unknown field "${path}"`).join(', ');
  const expected = unreadable ?? (query.get('fieldValidation') === 'Strict' ? remarks : undefined);
  return code === 400 && expected !== undefined && message.endsWith(`: ${expected}`)
    ? []
    : [`${code} ${message} is ${expected}`];
}

/** Creates that never reach the schema. */
const elsewhere = ({ query }: Create): boolean => query.get('fieldValidation') === 'Other';

describe.skipIf(!hasShared)('recorded creates (skipped where the recordings are not beside the checkout)', () => {
  const scenarios = hasShared ? scenariosOf('crd') : [];

  it.each(names)('cr: %s', (name) => {
    const scenario = scenarios.find((each: Scenario) => each.name === `cr: ${name}`);
    const schema = scenario && schemaOf(scenario);
    const creates = scenario ? createsIn(scenario).filter((create) => !elsewhere(create)) : [];
    expect(creates).not.toEqual([]);
    expect(schema && creates.flatMap((create) => differences(create, schema))).toEqual([]);
  });
});
