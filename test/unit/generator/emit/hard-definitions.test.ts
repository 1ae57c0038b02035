/**
 * Definitions with names, depths and sizes that few have are accepted, and their code type-checks in a project of its own
 * under the strictest settings.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject, Schema } from '../../../../runtime/contract/index.js';
import { outsideNames } from '../../../support/outside-names.js';
import { customResource, emit, modelOf, nativeResource, typeErrors, typeLibrary } from './emitting.js';

const text: Schema = { type: 'string' };

/** Returns a property of each name, in all possible forms of a property. */
const namedProperties = (extra: (index: number) => Partial<Schema>): Schema => {
  const schemas = outsideNames.map((name, index): [string, Schema] => {
    const common = { description: `About ${name} */ ${name}`, ...extra(index) };
    const inner = Object.fromEntries([[name, { type: 'string', default: name } as const]]);
    switch (index % 6) {
      case 0:
        return [name, { type: 'string', maxLength: 5, default: 'abc', ...common }];
      case 1:
        return [name, { type: 'integer', minimum: 1, ...common }];
      case 2:
        return [name, { type: 'object', properties: { ...inner, constructor: text }, required: [name], ...common }];
      case 3: {
        const items: Schema = { type: 'object', properties: { ...inner, more: text }, required: [name, 'more'] };
        const keys = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': [name] } as const;
        return [name, { type: 'array', items, ...keys, ...common }];
      }
      case 4:
        return [
          name,
          {
            type: 'object',
            additionalProperties: { type: 'string', enum: index < 6 ? outsideNames : [name] },
            ...common,
          },
        ];
      default:
        return [name, { type: 'string', enum: [name, `${name}!`], ...common }];
    }
  });
  return {
    type: 'object',
    properties: Object.fromEntries(schemas),
    required: outsideNames.filter((_, index) => index % 7 === 0),
  };
};

const presences = ['always', 'implicit', 'explicit'] as const;

/** Names that types, modules, groups and folders already have, in JavaScript or in the printed code. */
const kinds = [
  ...['Object', 'Array', 'Function', 'Promise', 'Record', 'Partial', 'Omit', 'Pick', 'Symbol', 'Error', 'Never', 'Any'],
  ...['ObjectMeta', 'ListMeta', 'ApplyObjectMeta', 'Schema', 'JsonObject', 'Value', 'Client', 'ResourceModule'],
  ...['EventHandlers', 'EventServer', 'Handlers', 'HandlersOf', 'KindHandlers', 'Event', 'Resource'],
  ...['ResourceDescriptor', 'Descriptor', 'ClientOfResource', 'CreateClient', 'ClientOptions', 'SchemaFunctions'],
  ...[
    'Constructor',
    'Prototype',
    'Then',
    'Default',
    'Class',
    'A',
    'Foo-Bar',
    'FooBar',
    'Spec',
    'Status',
    'URL',
    'Registry',
  ],
];
const plurals = [
  ...['constructor', 'prototype', 'then', 'default', 'client', 'con', 'aux', 'nul', 'com1', 'index', 'types', 'code'],
  ...['class', 'import', 'await', 'schema', 'registry', 'tree', 'createclient', 'foo-bar', 'foobar'],
];
const groups = [
  ...['constructor.example.com', 'then.example.com', 'a-b.example.com', 'ab.example.com', 'ab.example.org', 'aux.com'],
  ...[
    'core',
    'types',
    'openapi',
    'proto',
    'reference',
    'readme',
    'client.ts',
    'index.ts',
    'registry.ts',
    'manifest.json',
  ],
];
const typeNames = [
  ...[
    'Foo',
    'FOO',
    'FooApplyConfiguration',
    'URL',
    'Url',
    'Record',
    'RecordResource',
    'ObjectMeta',
    'Schema',
    'Promise',
  ],
  ...['Class', 'Default', 'Constructor', 'A', 'AA'],
];
const part: Schema = { type: 'object', required: ['x'], properties: { x: { type: 'string', maxLength: 3 } } };
const references = Object.fromEntries(
  typeNames.map((name) => [name.toLowerCase() + name, { $ref: `con/v1#/${name}` }]),
);
const spec: Schema = { type: 'object', required: ['a'], properties: { a: text, b: part } };

const named = [
  ...kinds.map((kind, index) => customResource({ kind, plural: `${kind.toLowerCase()}${index}`, spec })),
  ...plurals.map((plural, index) =>
    customResource({
      kind: `K${index}`,
      plural,
      group: 'con.example.com',
      spec,
      versions: ['v1', 'con', 'v1-1', 'v11'],
    }),
  ),
  ...groups.map((group) => nativeResource('Widget', group, { type: 'object', properties: { spec, ...references } })),
  typeLibrary('con/v1', Object.fromEntries(typeNames.map((name) => [name, part]))),
  typeLibrary('con-v1', { Foo: part }),
];

const nested = (levels: number): Schema =>
  levels === 0 ? text : { type: 'object', required: ['b'], properties: { a: nested(levels - 1), b: text } };
const many = <Value>(count: number, make: (index: number) => Value): readonly Value[] =>
  Array.from({ length: count }, (_, index) => make(index));

const unknown: Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const deepValue = (levels: number): JsonObject => (levels === 1 ? {} : { a: deepValue(levels - 1) });
const combined = (levels: number): Schema => {
  let inner: Schema = { minLength: 1 };
  for (let level = 1; level < levels; level++)
    inner = level % 2 ? { allOf: [inner, { maxLength: 9 }] } : { not: inner };
  return { type: 'string', anyOf: [inner] };
};

const hard = [
  customResource({ kind: 'Default', group: 'values.example.com', spec: { ...unknown, default: deepValue(40) } }),
  customResource({ kind: 'Enum', group: 'values.example.com', spec: { ...unknown, enum: [deepValue(40)] } }),
  customResource({ kind: 'Combined', group: 'values.example.com', spec: combined(30) }),
  customResource({ kind: 'Odd', group: 'odd.example.com', spec: namedProperties(() => ({})) }),
  nativeResource('Odd', 'odd.example.org', {
    type: 'object',
    properties: { spec: namedProperties((index) => ({ 'x-kindforge-presence': presences[index % 3] })) },
  }),
  customResource({ kind: 'Deep', group: 'deep.example.com', spec: nested(130) }),
  customResource({
    kind: 'Wide',
    group: 'wide.example.com',
    spec: {
      type: 'object',
      properties: {
        choice: { type: 'string', enum: many(2_000, (index) => `value-${index}`) },
        ...Object.fromEntries(
          many(2_500, (index) => [`field${index}`, { type: 'string', maxLength: 1 + (index % 3), default: 'a' }]),
        ),
      },
    },
  }),
  ...named,
];

/** Objects without the members that every object inherits, and objects with them. */
const use = `
import type { OddSpec } from './odd.example.com/v1/odds/types.js';
import type { Holder, HolderSpec } from './use.example.com/v1/holders/types.js';
import { createClient } from './client.js';

export const without: HolderSpec = {};
export const having: HolderSpec = { constructor: 'a', toString: 1, valueOf: { hasOwnProperty: ['x'] } };
export const text = (spec: OddSpec): string => spec.constructor;
export const get = (name: string): Promise<Holder> =>
  createClient({ baseUrl: 'http://127.0.0.1' }).use.v1.holders.in('a').get(name);
`;
const holder = customResource({
  kind: 'Holder',
  group: 'use.example.com',
  spec: {
    type: 'object',
    properties: {
      constructor: text satisfies Schema,
      toString: { type: 'integer' } satisfies Schema,
      valueOf: {
        type: 'object',
        properties: { hasOwnProperty: { type: 'array', items: text } satisfies Schema },
      } satisfies Schema,
    },
  },
});

describe('all of them in one project', () => {
  let files: ReadonlyMap<string, string> = new Map();
  beforeAll(() => {
    files = emit(modelOf(...hard, holder));
  });

  it('type-check', () => expect(typeErrors(new Map([...files, ['use.ts', use]]), true)).toEqual([]));

  it('have paths that differ on every system, and are devices on none', () => {
    const paths = [...files.keys()].map((path) => path.toLowerCase());
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths.filter((path) => /(?:^|\/)(?:con|prn|aux|nul|com\d|lpt\d)(?:[./]|$)/.test(path))).toEqual([]);
  });

  it('have no folder with the path of a file', () => {
    const paths = new Set([...files.keys(), 'manifest.json']);
    const folders = [...paths].flatMap((path) => path.split('/').map((_, end, steps) => steps.slice(0, end).join('/')));
    expect(folders.filter((folder) => paths.has(folder))).toEqual([]);
  });

  it('have documents in JSON', () => {
    const documents = [...files].filter(([path]) => path.endsWith('.json'));
    expect(documents.length).toBeGreaterThan(groups.length);
    for (const [, content] of documents) expect(() => JSON.parse(content)).not.toThrow();
  });
});

it('names that could end a comment, a template or a text are never code', () => {
  const name = ["*/ export const evil = '$", "{evil}'; /* `'"].join('');
  const inner: Schema = { type: 'object', properties: { [name]: { type: 'object', properties: { [name]: text } } } };
  const code = [...emit(modelOf(customResource({ kind: 'Bad', spec: inner })))].filter(([path]) =>
    path.endsWith('.ts'),
  );
  for (const [path, content] of code) expect(/^[^'"`]*export const evil/m.test(content), path).toBe(false);
});

it.each([
  ['200 levels', nested(200), 'KF1006', '300 levels'],
  ['a type within itself', undefined, 'KF3019', 'Circle'],
  ['a deep default', { ...unknown, default: deepValue(41) }, 'KF3022', '`default` is nested more than 40 levels'],
  ['a deep value of an enum', { ...unknown, enum: [deepValue(41)] }, 'KF3022', '`enum` is nested more than 40 levels'],
  ['deep combinations', combined(31), 'KF3022', 'more than 30 schemas'],
])('refuses %s with the limit or the place', (_, deep, code, words) => {
  const library = typeLibrary('a/v1', { Circle: { type: 'object', properties: { c: { $ref: 'a/v1#/Circle' } } } });
  const attempt = (): unknown => modelOf(deep === undefined ? library : customResource({ kind: 'Deep', spec: deep }));
  expect(attempt).toThrow(code);
  expect(attempt).toThrow(words);
});
