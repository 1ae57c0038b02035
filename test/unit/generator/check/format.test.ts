import { dirname, join, relative } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import type { Definition } from '../../../../generator/check/document-kind.js';
import { checkFormat } from '../../../../generator/check/format.js';
import { packageRoot, readFormatSchema } from '../../../../generator/check/package-root.js';
import type { Problem } from '../../../../generator/diagnostics/problem.js';
import { loadFolder } from '../../../../generator/load/load-folder.js';
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { isObject } from '../../../../runtime/schema/read.js';
import { isNativeKey, schemaReaders } from '../../../../runtime/schema/schema-keys.js';

const FILES = ['resource-definition.schema.json', 'type-library.schema.json', 'schema-node.schema.json'];

/** Returns every key that a format schema describes, with the path to its schema. */
function keysOf(schema: unknown, path: string): readonly (readonly [path: string, schema: JsonObject])[] {
  if (!isObject(schema)) return [];
  const maps = ['properties', 'definitions'].flatMap((map) => {
    const entries = isObject(schema[map]) ? Object.entries(schema[map]) : [];
    return entries.flatMap(([key, each]) => {
      const at = `${path}/${map}/${key}`;
      return [...(map === 'properties' && isObject(each) ? [[at, each] as const] : []), ...keysOf(each, at)];
    });
  });
  const nested = ['items', 'additionalProperties', 'if', 'then', 'else'];
  return [...maps, ...nested.flatMap((key) => keysOf(schema[key], `${path}/${key}`))];
}

describe('the format described by itself', () => {
  // The command trusts its own schemas, because checking them takes longer than reading a definition.
  test.each(FILES)('%s is a JSON Schema', async (file) => {
    const ajv = new Ajv({ strict: false });
    expect([await ajv.validateSchema(readFormatSchema(file)), ajv.errors]).toEqual([true, null]);
  });

  test.each(FILES)('%s describes every key', (file) => {
    const keys = keysOf(readFormatSchema(file), '');
    expect(keys.length).toBeGreaterThan(5);
    const silent = keys.filter(([, { description }]) => typeof description !== 'string' || description.length < 10);
    expect(silent.map(([path]) => path)).toEqual([]);
  });

  test.each(FILES)('%s leaves no object open by accident', (file) => {
    const all = [['', readFormatSchema(file)] as const, ...keysOf(readFormatSchema(file), '')];
    const open = all.filter(([, each]) => isObject(each.properties) && each.additionalProperties !== false);
    expect(open.map(([path]) => path)).toEqual([]);
  });

  test('knows the keys of a schema node that the loader reads, and no others', () => {
    const { properties } = readFormatSchema('schema-node.schema.json');
    expect(Object.keys(isObject(properties) ? properties : {}).sort()).toEqual(
      [...Object.keys(schemaReaders), '$ref'].sort(),
    );
  });

  test('recognizes keys that a CustomResourceDefinition may not have by their names', () => {
    const native = ['$ref', ...Object.keys(schemaReaders)].filter(isNativeKey);
    expect(native).toContain('x-kindforge-presence');
    expect(native).not.toContain('x-kubernetes-list-type');
  });
});

describe('definitions in this package', () => {
  const root = join(packageRoot(), 'schemas');
  const { files } = loadFolder(root);

  test.each(files.map((file) => [file.path, file] as const))(
    '%s names its schema for editors',
    (path, { text, documents }) => {
      const kinds = new Set(documents.map((value) => (isObject(value) ? value.kind : undefined)));
      const schema = kinds.has('TypeLibrary') ? 'type-library' : 'resource-definition';
      const named = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text)?.[1];
      expect(relative(join(root, 'meta'), join(root, dirname(path), named ?? ''))).toBe(`${schema}.schema.json`);
    },
  );
});

const problemsOf = (kind: Definition['kind'], value: JsonObject): Problem[] => {
  const problems: Problem[] = [];
  checkFormat({ kind, value }, (problem) => problems.push(problem));
  return problems;
};

describe('checkFormat', () => {
  const library = (types: JsonObject): JsonObject => ({
    apiVersion: 'kindforge.dev/v1',
    kind: 'TypeLibrary',
    metadata: { name: 'a/v1' },
    spec: { types },
  });
  const first = (node: JsonObject): Problem | undefined => problemsOf('TypeLibrary', library({ A: node }))[0];

  test('reports nothing for a correct definition', () => {
    const node = {
      type: 'object',
      properties: { a: { $ref: 'a/v1#/A' } },
      additionalProperties: true,
      'x-kindforge-immutable': { message: 'no' },
    };
    expect(problemsOf('TypeLibrary', library({ A: node }))).toEqual([]);
  });

  test('reports paths through mappings and lists', () => {
    const node = { allOf: [{}, { properties: { 'a/b~c': { type: 5 } } }] };
    expect(first(node)?.path).toEqual(['spec', 'types', 'A', 'allOf', 1, 'properties', 'a/b~c', 'type']);
  });

  test('accepts integers beyond 2^53 as numbers', () => {
    expect(first({ type: 'integer', maximum: 9223372036854775807n })).toBeUndefined();
    expect(first({ type: 'string', description: 9223372036854775807n })?.code).toBe('KF2005');
  });

  test('checks both forms of a key', () => {
    expect(first({ additionalProperties: { tpye: 'string' } })?.path.at(-1)).toBe('tpye');
    expect(first({ additionalProperties: 'yes' })?.code).toBe('KF2005');
    expect(first({ 'x-kindforge-immutable': { filed: 'a' } })?.code).toBe('KF2003');
  });

  test('refuses empty values in native definitions, and only there', () => {
    expect(first({ type: null })?.code).toBe('KF2006');
    const custom = {
      metadata: { name: 'a' },
      spec: {
        group: 'a.b',
        names: { plural: 'a', kind: 'A', shortNames: null },
        scope: 'Cluster',
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            subresources: null,
            schema: { openAPIV3Schema: { type: 'object', properties: null } },
          },
        ],
      },
      status: { anything: 1 },
    };
    expect(problemsOf('CustomResourceDefinition', custom)).toEqual([]);
  });
});
