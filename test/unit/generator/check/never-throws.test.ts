/** Reading and checking a definition ends with problems, never with an exception, whatever is in it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { analyse, documentsOf, typesOf } from '../../../../generator/check/analyse.js';
import { diagnoseFile } from '../../../../generator/check/diagnose.js';
import { packageRoot } from '../../../../generator/check/package-root.js';
import type { LoadedFile } from '../../../../generator/load/load-folder.js';
import { parseYaml } from '../../../../generator/load/parse-yaml.js';
import { resolveTypes } from '../../../../generator/model/shared-types.js';
import type { JsonValue } from '../../../../runtime/contract/index.js';
import { isObject } from '../../../../runtime/objects/guards.js';
import { readArchive } from '../../../support/archive.js';

const golden = join(packageRoot(), 'test/golden');
const read = (path: string): string => readFileSync(join(golden, path), 'utf8');
const texts = [
  ...[
    'native/input/example.com/widgets.yaml',
    'native/input/types/meta.yaml',
    'custom-resource/input/gadgets.yaml',
  ].map(read),
  ...['KF4001-default', 'KF3016-list-map-keys', 'KF3024-conversion', 'KF4016-selectable'].flatMap((name) => [
    ...readArchive(read(`mistakes/${name}.txtar`)).files.values(),
  ]),
];
const values = texts.flatMap((text) =>
  parseYaml(text).documents.flatMap((value) => (value === undefined ? [] : [value])),
);

const JUNK: readonly JsonValue[] = [
  null,
  true,
  -1,
  0.5,
  9223372036854775807n,
  '',
  'object',
  'x'.repeat(300),
  '\u0000',
  '[',
  '.spec[',
  [],
  [null],
  [[]],
  {},
  { type: 'object' },
  { $ref: 'a/v1#/Size' },
  { $ref: 5 },
  { properties: { a: null, constructor: { type: 'string' }, toString: {} } },
  { items: { items: { items: {} } } },
  { allOf: [{ not: { anyOf: 'x' } }] },
];

/** Puts junk at the n-th place of a value, counted depth-first. */
function replace(value: JsonValue, place: number, junk: JsonValue): JsonValue {
  let left = place;
  const visit = (each: JsonValue): JsonValue => {
    if (left-- === 0) return junk;
    if (Array.isArray(each)) return each.map(visit);
    if (!isObject(each)) return each;
    return Object.fromEntries(Object.entries(each).map(([key, child]) => [key, visit(child ?? null)]));
  };
  return visit(value);
}

const sizeOf = (value: JsonValue): number =>
  1 +
  (typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>((sum, each) => sum + sizeOf(each ?? null), 0)
    : 0);

/**
 * Reads documents and checks them like `loadDefinitions`. The file has an unrelated text, because positions do not
 * matter.
 */
function checkAll(documents: readonly JsonValue[]): number {
  const file: LoadedFile = { path: 'a.yaml', hash: 'a', text: 'a: 1\n', documents, problems: [] };
  const found = documentsOf(file);
  const types = resolveTypes(found.flatMap(typesOf));
  const cycles = new Set([...types.values()].flatMap((type) => type.cycles.map((each) => each.node)));
  const context = { types, cycles, isIncomplete: false };
  const problems = found.flatMap((document) =>
    analyse(document, context).problems.map((problem) => ({ problem, document: document.index, isNative: true })),
  );
  return diagnoseFile(file, problems).diagnostics.length;
}

describe('reading and checking never throws', () => {
  test('for definitions as they are', () => {
    expect(values.length).toBeGreaterThan(8);
    expect(checkAll(values)).toBeGreaterThan(10);
  });

  test('for junk in any one place', () => {
    for (const value of values) {
      const size = sizeOf(value);
      const places = Array.from({ length: Math.min(size, 120) }, (_, index) =>
        Math.floor((index * size) / Math.min(size, 120)),
      );
      for (const [index, place] of places.entries()) {
        const junk = JUNK[index % JUNK.length] ?? null;
        expect(checkAll([replace(value, place, junk)])).toBeGreaterThanOrEqual(0);
      }
    }
  });

  test('for junk in several places', () => {
    const edit = fc.tuple(fc.nat(400), fc.constantFrom(...JUNK));
    fc.assert(
      fc.property(fc.nat(values.length - 1), fc.array(edit, { minLength: 1, maxLength: 6 }), (which, edits) => {
        const start = values[which] ?? null;
        const value = edits.reduce((current, [place, junk]) => replace(current, place % sizeOf(current), junk), start);
        expect(checkAll([value, ...values.slice(0, 2)])).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 300 },
    );
  });

  test('for any value at all', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const spec: JsonValue = JSON.parse(JSON.stringify(value));
        const kinds = ['ResourceDefinition', 'TypeLibrary'].map((kind) => ({
          apiVersion: 'kindforge.dev/v1',
          kind,
          metadata: spec,
          spec,
        }));
        const custom = {
          apiVersion: 'apiextensions.k8s.io/v1',
          kind: 'CustomResourceDefinition',
          metadata: spec,
          spec,
        };
        expect(checkAll([spec, ...kinds, custom])).toBeGreaterThan(0);
      }),
    );
  });
});

describe('reading and checking ends for many', () => {
  const definition = (schema: JsonValue, spec: JsonValue = {}): JsonValue => ({
    apiVersion: 'kindforge.dev/v1',
    kind: 'ResourceDefinition',
    metadata: { name: 'a.b.c' },
    spec: {
      group: 'b.c',
      names: { plural: 'a', kind: 'A' },
      scope: 'Cluster',
      ...(isObject(spec) ? spec : {}),
      versions: [{ name: 'v1', schema: { openAPIV3Schema: schema } }],
    },
  });
  const many = <T>(count: number, make: (index: number) => T): T[] =>
    Array.from({ length: count }, (_, index) => make(index));
  const properties = (count: number, make: (index: number) => JsonValue): JsonValue =>
    Object.fromEntries(many(count, (index) => [`field${index}`, make(index)]));

  test.each([
    ['unknown keys', () => definition(properties(50_000, () => 1))],
    [
      'required names that do not exist',
      () =>
        definition({
          type: 'object',
          properties: properties(20_000, () => ({ type: 'string' })),
          required: many(20_000, (index) => `feild${index}`),
        }),
    ],
    [
      'values of an enum',
      () =>
        definition({
          type: 'object',
          properties: { a: { type: 'string', enum: many(200_000, (index) => `v${index % 100_000}`) } },
        }),
    ],
    [
      'keys of a list',
      () =>
        definition({
          type: 'object',
          properties: {
            a: {
              type: 'array',
              'x-kubernetes-list-type': 'map',
              'x-kubernetes-list-map-keys': many(20_000, (index) => `k${index}`),
              items: { type: 'object', properties: properties(2_000, () => ({ type: 'string' })) },
            },
          },
        }),
    ],
    [
      'defaults',
      () =>
        definition({
          type: 'object',
          properties: properties(5_000, (index) => ({
            type: 'object',
            default: { a: index },
            properties: { a: { type: 'string', default: 'x' } },
          })),
        }),
    ],
    [
      'patterns',
      () =>
        definition({
          type: 'object',
          properties: properties(5_000, (index) => ({
            type: 'string',
            pattern: `^(a${index}|b)*$${index === 0 ? '(' : ''}`,
          })),
        }),
    ],
    [
      'rules',
      () =>
        definition({
          type: 'object',
          oneOf: many(5_000, (index) => ({ properties: { [`x${index}`]: { minimum: 1, maximum: 0 } } })),
        }),
    ],
    ['verbs', () => definition({ type: 'object' }, { verbs: many(100_000, (index) => `git${index % 90_000}`) })],
    [
      'short names',
      () =>
        definition(
          { type: 'object' },
          { names: { plural: 'a', kind: 'A', shortNames: many(50_000, (index) => `N${index}`) } },
        ),
    ],
  ])('%s', (_, make) => {
    expect(checkAll([make()])).toBeGreaterThan(0);
  });

  test('definitions of one resource', () => {
    const value = definition({ type: 'object' });
    expect(checkAll(many(2_000, () => structuredClone(value)))).toBe(0);
  });
});
