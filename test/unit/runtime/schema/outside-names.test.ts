/**
 * Properties and map keys of any name are validated, defaulted, kept, merged and owned, and none is ever a prototype.
 */
import { expect, it } from 'vitest';
import type { JsonObject, JsonValue, Schema } from '../../../../runtime/contract/index.js';
import { parseFieldSet } from '../../../../runtime/merge/field-set.js';
import { applyConfiguration, applyMergePatch } from '../../../../runtime/merge/index.js';
import { compileTypedPlan } from '../../../../runtime/merge/typed/compile.js';
import { getOwn, isObject } from '../../../../runtime/objects/guards.js';
import { PLAIN, readSchema } from '../../../../runtime/schema/read-schema.js';
import { functionsOf, run } from '../../../support/compiled.js';
import { outsideNames } from '../../../support/outside-names.js';

/** Makes an object with one own member of any name. */
const of = <Value>(name: string, value: Value): { [key: string]: Value } => Object.fromEntries([[name, value]]);

const short = { type: 'string', maxLength: 3 };

/** Makes a schema in which everything has one name. */
const rawFor = (name: string): JsonObject => ({
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        plain: { type: 'object', properties: of(name, short) },
        filled: { type: 'object', properties: of(name, { ...short, default: 'abc' }) },
        needed: { type: 'object', required: [name], properties: of(name, short) },
        nested: { type: 'object', properties: of(name, { type: 'object', properties: of(name, short) }) },
        map: { type: 'object', additionalProperties: short },
        maps: { type: 'object', additionalProperties: { type: 'object', properties: of(name, short) } },
        list: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': [name],
          items: { type: 'object', required: [name], properties: { ...of(name, short), more: { type: 'string' } } },
        },
        choice: { type: 'string', enum: [name] },
      },
    },
  },
});

const schemas = new Map<string, Schema>();

/** Returns one schema for each name and decoding, compiled once. */
const schemaFor = (name: string, decoding: 'structural' | 'typed' = 'structural'): Schema => {
  const known = schemas.get(decoding + name) ?? readSchema(rawFor(name), PLAIN);
  schemas.set(decoding + name, known);
  return known;
};

const full = (name: string, text: string): JsonObject => ({
  plain: of(name, text),
  filled: of(name, text),
  needed: of(name, text),
  nested: of(name, of(name, text)),
  map: of(name, text),
  maps: of(name, of(name, text)),
  list: [of(name, text)],
  choice: name,
});

/** Returns whether every object in a value still has the prototype of all objects. */
const isUntouched = (value: JsonValue | undefined): boolean => {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isUntouched);
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isUntouched);
};

const decodings = ['structural', 'typed'] as const;
const cases = outsideNames.flatMap((name) => decodings.map((decoding) => [name, decoding] as const));

it.each(cases)('%j keeps valid values in a %s kind', (name, decoding) => {
  const functions = functionsOf(schemaFor(name, decoding), { decoding });
  const { unreadable, unknown, errors, object } = run(functions, { spec: full(name, 'abc') });
  expect({ unreadable, unknown, errors }).toEqual({ unreadable: undefined, unknown: [], errors: [] });
  expect(JSON.stringify(object)).toBe(JSON.stringify({ spec: full(name, 'abc') }));
  expect(isUntouched(object)).toBe(true);
});

it.each(cases)('%j is validated by its schema in a %s kind', (name, decoding) => {
  const { errors } = run(functionsOf(schemaFor(name, decoding), { decoding }), { spec: full(name, 'abcd') });
  expect(errors).toHaveLength(7);
  const { errors: missing } = run(functionsOf(schemaFor(name, decoding), { decoding }), {
    spec: { needed: {}, choice: 'other' },
  });
  expect(missing.map(({ reason }) => reason).sort()).toEqual(['FieldValueNotSupported', 'FieldValueRequired']);
});

it.each(cases)('%j is filled in, and an unknown field beside it, in a %s kind', (name, decoding) => {
  const filled = run(functionsOf(schemaFor(name, decoding), { decoding }), { spec: { filled: {} } }).object.spec;
  expect(JSON.stringify(filled)).toBe(JSON.stringify({ filled: of(name, 'abc') }));
  const none = functionsOf({ type: 'object', properties: { spec: { type: 'object' } } }, { decoding });
  const { unknown, object } = run(none, { spec: of(name, of(name, 'a')) });
  expect([unknown.length, JSON.stringify(object)]).toEqual([1, '{"spec":{}}']);
  expect(isUntouched(object)).toBe(true);
});

it.each(outsideNames)('%j identifies items of a list', (name) => {
  const { errors } = run(functionsOf(schemaFor(name)), {
    spec: { list: [of(name, 'a'), of(name, 'b'), of(name, 'a')] },
  });
  expect(errors.map(({ reason, field }) => [reason, field])).toEqual([['FieldValueDuplicate', 'spec.list[2]']]);
});

it.each(outsideNames)('%j is applied and owned', (name) => {
  const plan = compileTypedPlan(schemaFor(name), 'structural');
  const base = { plan, apiVersion: 'g/v1', subresource: '', force: false, now: '2024-01-01T00:00:00Z' };
  const head = { apiVersion: 'g/v1', kind: 'Shape', metadata: { name: 'x' } };
  const spec = full(name, 'a');
  const first = applyConfiguration({ ...base, manager: 'one', applied: { ...head, spec } });
  if (!first.ok) throw new Error(first.failure.message);
  const live = first.value;
  expect(JSON.stringify(live.spec)).toBe(JSON.stringify(spec));
  const owned = live.metadata.managedFields?.[0]?.fieldsV1;
  expect(owned && parseFieldSet(owned)).toBeDefined();
  const plain = isObject(owned) && isObject(owned['f:spec']) ? owned['f:spec']['f:plain'] : undefined;
  expect(JSON.stringify(plain)).toBe(JSON.stringify(of(`f:${name}`, {})));
  const other = { ...head, spec: { nested: of(name, of(name, 'b')) } };
  const conflict = applyConfiguration({ ...base, manager: 'two', applied: other, live });
  expect(conflict.ok).toBe(false);
  const next = applyConfiguration({ ...base, manager: 'one', applied: { ...head, spec: { choice: name } }, live });
  expect(next.ok && next.value.spec).toEqual({ choice: name });
});

it.each(outsideNames)('%j is patched', (name) => {
  const patched = applyMergePatch({ spec: full(name, 'a') }, { spec: { plain: of(name, null), map: of(name, 'b') } });
  if (!isObject(patched) || !isObject(patched.spec)) throw new Error('no spec');
  expect(JSON.stringify(patched.spec)).toBe(JSON.stringify({ ...full(name, 'a'), plain: {}, map: of(name, 'b') }));
  expect(isUntouched(patched)).toBe(true);
  expect(getOwn(patched, name)).toBe(name === 'spec' ? patched.spec : undefined);
});
