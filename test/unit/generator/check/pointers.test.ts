/** Columns and scale subresources name existing fields of the right types; `check` reports others with their places. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadDefinitions } from '../../../../generator/check/load-definitions.js';
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { scratchFolder } from '../../../support/scratch-folder.js';

const folder = scratchFolder();

const fields: JsonObject = {
  type: 'object',
  properties: {
    n: { type: 'integer' },
    s: { type: 'string' },
    list: { type: 'array', items: { type: 'object', properties: { n: { type: 'integer' } } } },
    odd: { type: 'object', properties: { 'a.b': { type: 'integer' } } },
  },
};

/**
 * Returns the codes for a definition with these keys in its version. The file has a line for the schema and one for the
 * rest.
 */
function codesOf(version: JsonObject): readonly string[] {
  const openAPIV3Schema = { type: 'object', properties: { spec: fields, status: fields } };
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.example.com' },
    spec: { group: 'example.com', scope: 'Namespaced', names: { plural: 'things', kind: 'Thing' } },
  };
  const [schema, more] = [JSON.stringify({ openAPIV3Schema }), JSON.stringify(version).slice(1, -1)];
  const text = JSON.stringify(definition).slice(0, -2);
  const versions = `"versions": [{ "name": "v1", "served": true, "storage": true, "schema":\n${schema},\n${more}\n}]`;
  writeFileSync(join(folder, 'thing.json'), `${text}, ${versions}}}`);
  return loadDefinitions(folder).diagnostics.map(({ code, line }) => `${code} ${line === 2 ? 'field' : 'path'}`);
}

const column = (type: string, jsonPath: string): JsonObject => ({
  additionalPrinterColumns: [{ name: 'X', type, jsonPath }],
});
const scale = (specReplicasPath: string): JsonObject => ({
  subresources: { status: {}, scale: { specReplicasPath, statusReplicasPath: '.status.n' } },
});

it.each<[string, JsonObject, readonly string[]]>([
  ['a column of its type', column('integer', '.spec.list[?(@.n==1)].n'), []],
  ['a column of metadata', column('date', '.metadata.creationTimestamp'), []],
  ['a column of another type', column('integer', '.spec.s'), ['KF4038 field', 'KF4038 path']],
  ['a column of metadata of another type', column('integer', '.metadata.name'), ['KF4038 path']],
  ['a column of no metadata', column('string', '.metadata.nam'), ['KF4014 path']],
  ['a column by a key whose dots are no part of it', column('string', ".spec.odd['a.b']"), ['KF4014 path']],
  ['a column by a key with a plain dot', column('integer', ".spec.odd['a\\.b']"), []],
  ['a column that asks for a field that is not there', column('integer', '.spec.list[?(@.m==1)].n'), ['KF4014 path']],
  ['a column in a way that no server reads', column('string', '.spec["s"]'), ['KF4013 path']],
  ['a column without a type', column('', '.spec.s'), ['KF4015 path']],
  ['a scale of a count', scale('.spec.n'), []],
  ['a scale of a text', scale('.spec.s'), ['KF4038 field', 'KF4038 path']],
  ['a scale through a list', scale('.spec.list.n'), ['KF4014 path']],
  ['a scale by a key with a plain dot, which servers cannot read', scale('.spec.odd.a\\.b'), ['KF4014 path']],
  ['a scale of a whole part, of which the type does not matter', scale('.spec'), ['KF4012 path']],
])('%s', (_title, version, codes) => {
  expect(codesOf(version)).toEqual(codes);
});
