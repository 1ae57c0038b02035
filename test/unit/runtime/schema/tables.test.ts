/** The compiled functions against public tables of inputs and expectations, one value and schema per row. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decodeJson } from '../../../../runtime/codec/json.js';
import type { FieldError, JsonObject, JsonValue, Schema } from '../../../../runtime/contract/index.js';
import { isObject } from '../../../../runtime/objects/guards.js';
import { functionsOf } from '../../../support/compiled.js';
import { hasShared, shared } from '../../../support/shared.js';

interface Row {
  readonly name: string;
  readonly schema?: Schema | null;
  readonly json?: string;
  readonly object?: JsonValue;
  readonly obj?: JsonValue;
  readonly expected?: string;
  readonly expectedObject?: string;
  readonly expectedPruned?: readonly string[] | null;
  readonly expectedUnknownFields?: readonly string[] | null;
  readonly dropInvalidFields?: boolean;
  readonly isResourceRoot?: boolean;
  readonly includeRoot?: boolean;
  readonly errors?: readonly { readonly errorType: string; readonly path: string }[] | null;
}

function rows(table: string, test: string): Row[] {
  if (!hasShared) return [];
  const path = shared('suites', 'tables', `apiextensions-apiserver_pkg_apiserver_schema_${table}.jsonl`);
  const all: { readonly test: string; readonly case: Row }[] = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return all.filter((row) => row.test === test).map((row) => row.case);
}

/** Decodes JSON as a body is; the rows are known to hold JSON. */
function parse(text = 'null'): JsonValue {
  const decoded = decodeJson(text);
  return decoded.ok ? decoded.value : null;
}

/** Rows speak of any value, and the functions of objects: the value becomes the field `root` of one. */
const inField = (schema: Schema | null | undefined): Schema => ({ type: 'object', properties: { root: schema ?? {} } });
const below = (path: string): string => (path.startsWith('[') ? `root${path}` : `root.${path}`);

const textOf = ({ reason, field }: FieldError): string => `${reason} ${field}`;
const expectedOf = ({ errors }: Row): string[] => (errors ?? []).map(({ errorType, path }) => `${errorType} ${path}`);

function validate(schema: Schema, object: JsonObject): string[] {
  const errors: FieldError[] = [];
  functionsOf(schema).validate(object, errors);
  return errors.map(textOf).sort();
}

/** Numbers that Go tells from integers are marked in the tables. */
function unmarked(value: JsonValue | undefined): JsonValue {
  if (Array.isArray(value)) return value.map(unmarked);
  if (!isObject(value)) return value ?? null;
  if (value.$float !== undefined) return Number(value.$float);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unmarked(item)]));
}

/** A value without what is in the metadata of objects in it, which is pruned in a step of its own. */
function withoutMetadata(value: JsonValue | undefined): JsonValue {
  if (Array.isArray(value)) return value.map(withoutMetadata);
  if (!isObject(value)) return value ?? null;
  const { metadata: _, ...rest } = value;
  return Object.fromEntries(Object.entries(rest).map(([key, item]) => [key, withoutMetadata(item)]));
}

/** What the reference does not report of the value that it is given, which is a field here. */
const isHead = /^root\.(apiVersion|kind|metadata)$/;

const embedded: Schema = {
  type: 'object',
  'x-kubernetes-embedded-resource': true,
  'x-kubernetes-preserve-unknown-fields': true,
};

/** Embedded objects everywhere; the rows about them do not say what schema they mean. */
const holder: Schema = {
  type: 'object',
  properties: {
    embedded,
    nested: { ...embedded, properties: { embedded } },
    items: { type: 'array', items: embedded },
    additionalProperties: { type: 'object', additionalProperties: embedded },
  },
};

describe.skipIf(!hasShared)('tables of the reference (skipped where they are not beside the checkout)', () => {
  // A null by itself would be a field that is null here, which is another matter.
  it.each(rows('defaulting', 'TestDefault').filter(({ json }) => json !== 'null'))(
    'defaults: $name',
    ({ schema, json, expected }) => {
      const object = { root: parse(json) };
      functionsOf(inField(schema)).applyDefaults(object);
      expect(object).toEqual({ root: parse(expected) });
    },
  );

  // No definition may forbid further properties by the word `false`, so what that would mean is left open.
  const prunable = rows('pruning', 'TestPrune').filter(({ name }) => name !== 'additionalProperties with bool');

  it.each(prunable)('pruning: $name', ({ schema, json, expectedObject, expectedPruned, isResourceRoot }) => {
    const value = parse(json);
    const isRoot = isResourceRoot === true && isObject(value);
    const object = isRoot ? value : { root: value };
    const unknown: string[] = [];
    functionsOf(isRoot && schema ? schema : inField(schema)).prune(object, (path) => unknown.push(path));
    const expected = parse(expectedObject);
    expect(withoutMetadata(object)).toEqual(withoutMetadata(isRoot ? expected : { root: expected }));
    const paths = (expectedPruned ?? []).map((path) => (isRoot ? path : below(path)));
    expect(unknown.filter((path) => !path.includes('.metadata.') && !isHead.test(path))).toEqual(paths);
  });

  const coerced = rows('objectmeta', 'TestCoerce').filter((row) => !row.dropInvalidFields && !row.includeRoot);

  it.each(coerced)('metadata of embedded objects: $name', ({ schema, json, expectedUnknownFields }) => {
    const unknown: string[] = [];
    const object = { root: parse(json) };
    const functions = functionsOf(inField(schema));
    expect(functions.normalize?.(object)).toBeUndefined();
    functions.prune(object, (path) => unknown.push(path));
    const inMetadata = unknown.filter((path) => path.includes('.metadata.'));
    expect(inMetadata).toEqual((expectedUnknownFields ?? []).map(below));
  });

  it.each(rows('objectmeta', 'TestValidate').filter((row) => !row.includeRoot))('embedded objects: $name', (row) => {
    const object = parse(String(row.object));
    expect(isObject(object) ? validate(holder, object) : undefined).toEqual(expectedOf(row).sort());
  });

  it.each(rows('objectmeta', 'TestValidateEmbeddedResource'))('an embedded object: $name', (row) => {
    const expected = (row.errors ?? []).map(({ errorType, path }) => `${errorType} root.${path}`);
    expect(validate(inField(embedded), { root: row.object ?? null })).toEqual(expected.sort());
  });

  it.each(rows('listtype', 'TestValidateListSetsAndMaps'))('sets and maps: $name', (row) => {
    const errors = validate(inField(row.schema), { root: unmarked(row.obj) });
    // The rows are about lists alone, whatever the types of values.
    const ofLists = errors.filter((text) => !text.startsWith('FieldValueTypeInvalid'));
    expect(ofLists).toEqual(expectedOf(row).sort());
  });
});
