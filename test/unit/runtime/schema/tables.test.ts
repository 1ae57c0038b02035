/** Replays public tables about the effect of schemas on values: pruned fields, defaults, repeated items. */
import { describe, expect, it } from 'vitest';
import type { FieldError, JsonObject, JsonValue, Schema } from '../../../../runtime/contract/index.js';
import { schemaFunctions } from '../../../../runtime/schema/index.js';
import { tableRows } from '../../../support/shared.js';

interface Case {
  readonly name: string;
  readonly schema: Schema | null;
  readonly json: string;
  readonly obj: JsonValue;
  readonly expected: string;
  readonly expectedObject: string;
  readonly expectedPruned: readonly string[] | null;
  readonly isResourceRoot: boolean;
  readonly object: JsonValue;
  readonly expectedUnknownFields: readonly string[] | null;
  readonly dropInvalidFields: boolean;
  readonly includeRoot: boolean;
  readonly errors: readonly { readonly errorType: string; readonly path: string }[] | null;
}

/**
 * Rows that divide the work differently. Here fields that `additionalProperties: false` should refuse are pruned, and
 * no later step handles unknown fields in the metadata of embedded objects.
 */
const otherwise = new Set(['additionalProperties with bool', 'x-kubernetes-embedded-resource']);

/** Returns the rows of a test that have a schema. */
const casesOf = (table: string, test: string, isUsable = ({ schema }: Case) => schema !== null): Case[] =>
  tableRows<Case>(`apiextensions-apiserver_pkg_apiserver_schema_${table}`)
    .filter((row) => row.test === test && isUsable(row.case))
    .map((row) => row.case);

/** Puts a value into a field of an object, with the functions of the object's schema. */
function held(schema: Schema | null, value: JsonValue) {
  const object: JsonObject = { v: value };
  return {
    functions: schemaFunctions({ type: 'object', properties: { v: schema ?? {} } }, { decoding: 'structural' }),
    object,
  };
}

const within = (path: string): string => path.replace(/^v\.?/, '');

describe.skipIf(casesOf('pruning', 'TestPrune').length === 0)(
  'tables (skipped if they are not beside the checkout)',
  () => {
    it('pruning', () => {
      for (const { name, schema, json, expectedObject, expectedPruned, isResourceRoot } of casesOf(
        'pruning',
        'TestPrune',
      )) {
        if (isResourceRoot || otherwise.has(name)) continue;
        const { functions, object } = held(schema, JSON.parse(json));
        const pruned: string[] = [];
        functions.prune(object, (path) => pruned.push(within(path)));
        expect(object.v, name).toEqual(JSON.parse(expectedObject));
        expect(pruned.sort(), name).toEqual([...(expectedPruned ?? [])].sort());
      }
    });

    it('defaults', () => {
      for (const { name, schema, json, expected } of casesOf('defaulting', 'TestDefault')) {
        const { functions, object } = held(schema, JSON.parse(json));
        functions.applyDefaults(object);
        expect(object.v, name).toEqual(JSON.parse(expected));
      }
    });

    it('lists', () => {
      for (const { name, schema, obj, errors } of casesOf('listtype', 'TestValidateListSetsAndMaps')) {
        const { functions, object } = held(schema, obj);
        const found: FieldError[] = [];
        functions.validate(object, found);
        const repeats = found
          .filter(({ reason }) => reason === 'FieldValueDuplicate')
          .map(({ field }) => within(field));
        // The type check refuses items of a type that the list may not have.
        const expected = (errors ?? []).filter(({ errorType }) => errorType === 'FieldValueDuplicate');
        const wanted = expected.map(({ path }) => path.replace(/^root\.?/, ''));
        expect(repeats.sort(), name).toEqual(wanted.sort());
      }
    });

    it('nulls that a schema does not allow', () => {
      // They are dropped when defaults are filled in, so the test fills defaults into the results of the rows too.
      for (const { name, schema, json, expected } of casesOf(
        'defaulting',
        'TestPruneNonNullableNullsWithoutDefaults',
      )) {
        const { functions, object } = held(schema, JSON.parse(json));
        functions.applyDefaults(object);
        const left: JsonObject = { v: JSON.parse(expected) };
        functions.applyDefaults(left);
        expect(object.v, name).toEqual(left.v);
      }
    });

    it('unknown fields in the metadata of embedded objects', () => {
      // The reference drops unreadable fields of stored objects. Here no such object can be stored.
      const cases = casesOf('objectmeta', 'TestCoerce').filter(({ dropInvalidFields }) => !dropInvalidFields);
      for (const { name, schema, json, expectedUnknownFields, includeRoot } of cases) {
        const { functions, object } = held(schema, JSON.parse(json));
        expect(functions.normalize?.(object), name).toBeUndefined();
        const unknown: string[] = [];
        functions.prune(object, (path) => unknown.push(within(path)));
        const found = unknown.filter((path) => /(^|\.)metadata\./.test(path));
        // The metadata of the object itself is read with every object, not by its schema.
        const expected = (expectedUnknownFields ?? []).filter((path) => !includeRoot || !path.startsWith('metadata.'));
        expect(found, name).toEqual(expected);
      }
      expect(cases.length).toBeGreaterThan(4);
    });

    const embedded: Schema = {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    };
    const found = (schema: Schema, value: JsonValue): string[] => {
      const { functions, object } = held(schema, value);
      functions.normalize?.(object);
      const errors: FieldError[] = [];
      functions.validate(object, errors);
      return errors.map(({ reason, field }) => `${reason} ${within(field)}`);
    };
    const wanted = ({ errors }: Case): string[] => (errors ?? []).map(({ errorType, path }) => `${errorType} ${path}`);

    it('required fields of embedded objects', () => {
      const cases = casesOf('objectmeta', 'TestValidateEmbeddedResource', () => true);
      for (const one of cases) expect(found(embedded, one.object), one.name).toEqual(wanted(one));
      expect(cases.length).toBe(6);
    });

    it('places of embedded objects', () => {
      const schema: Schema = {
        type: 'object',
        properties: {
          embedded,
          nested: { ...embedded, properties: { embedded } },
          items: { type: 'array', items: embedded },
          additionalProperties: { type: 'object', additionalProperties: embedded },
        },
      };
      // Every object's own apiVersion, kind and metadata are read before its schema is used.
      const cases = casesOf('objectmeta', 'TestValidate', ({ includeRoot }) => !includeRoot);
      for (const one of cases) expect(found(schema, JSON.parse(String(one.object))), one.name).toEqual(wanted(one));
      expect(cases.length).toBe(5);
    });
  },
);
