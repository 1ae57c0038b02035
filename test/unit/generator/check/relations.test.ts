/**
 * Relations of a definition: fields that can take part, kinds that they can name, and circles, all with their places.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadDefinitions } from '../../../../generator/check/load-definitions.js';
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { nativeResource } from '../../../support/kinds.js';
import { scratchFolder } from '../../../support/scratch-folder.js';

const folder = scratchFolder();

const spec: JsonObject = {
  type: 'object',
  required: ['owner'],
  properties: {
    owner: { type: 'string' },
    project: { type: 'string' },
    space: { type: 'string' },
    fixed: { type: 'string', 'x-kindforge-immutable': true },
    usual: { type: 'string', default: 'a' },
    port: { type: 'integer' },
    open: { 'x-kubernetes-preserve-unknown-fields': true },
    tags: { type: 'array', items: { type: 'string' } },
    members: {
      type: 'array',
      items: { type: 'object', properties: { user: { type: 'string' }, space: { type: 'string' } } },
    },
  },
};

function definition(kind: string, more: JsonObject): JsonObject {
  const schema = { type: 'object', required: ['spec'], properties: { spec } };
  return nativeResource({ kind, schema, spec: more });
}

/** Loads definitions, one to a file, with the lines of JSON as places. */
function load(...definitions: readonly JsonObject[]) {
  for (const index of [0, 1, 2]) rmSync(join(folder, `${index}.json`), { force: true });
  for (const [index, one] of definitions.entries())
    writeFileSync(join(folder, `${index}.json`), JSON.stringify(one, undefined, 1));
  return loadDefinitions(folder);
}

const lineOf = (one: JsonObject, text: string): number =>
  JSON.stringify(one, undefined, 1)
    .split('\n')
    .findIndex((line) => line.includes(text)) + 1;

const project = definition('Project', {});

/** Returns the problems of a kind with these relations, beside a plain kind Project. */
function problemsOf(more: JsonObject): readonly string[] {
  return load(definition('Thing', more), project).diagnostics.map(({ code, message }) => `${code} ${message}`);
}

const refer = (more: JsonObject): JsonObject => ({ references: [{ field: 'spec.project', kind: 'Project', ...more }] });
const unique = (more: JsonObject): JsonObject => ({ unique: [{ fields: ['spec.project'], ...more }] });

describe('a relation that fits', () => {
  it.each<[string, JsonObject]>([
    ['a text', refer({})],
    ['each text of a list', refer({ field: 'spec.tags[]', onDelete: 'cascade' })],
    [
      'a text in items, with its namespace beside it',
      refer({ field: 'spec.members[].user', namespaceField: 'spec.members[].space' }),
    ],
    ['a field that can be cleared', refer({ onDelete: 'clear' })],
    ['a kind of a group that only servers know', refer({ group: '', kind: 'Secret' })],
    ['the own kind', refer({ kind: 'Thing' })],
    ['a scalar', unique({ fields: ['spec.port'] })],
    ['several scalars', unique({ fields: ['spec.port', 'spec.owner'], within: 'cluster' })],
    ['some objects', unique({ when: 'has(self.spec.port) && self.spec.port > 1' })],
  ])('%s', (_title, more) => {
    expect(problemsOf(more)).toEqual([]);
  });
});

describe('a relation is refused', () => {
  it.each<[string, JsonObject, string]>([
    [
      'with a field that is not there',
      refer({ field: 'spec.projct' }),
      'KF4014 the path leads nowhere: field `projct` does not exist',
    ],
    [
      'with a malformed path',
      refer({ field: '.spec.project' }),
      'KF4046 ".spec.project" is not the path of a field, such as spec.name',
    ],
    ['with metadata', refer({ field: 'metadata.name' }), 'KF4046 `metadata` cannot take part in relations'],
    ['with an object', refer({ field: 'spec' }), 'KF4046 the field has type object, not string'],
    ['with a list', refer({ field: 'spec.tags' }), 'KF4046 the field has type array, not string'],
    ['with a number', refer({ field: 'spec.port' }), 'KF4046 the field has type integer, not string'],
    ['with a field of any type', refer({ field: 'spec.open' }), 'KF4046 the field can have any type'],
    [
      'with a namespace in other items',
      refer({ namespaceField: 'spec.members[].space' }),
      'KF4046 the name and the namespace must be in the same item of a list',
    ],
    [
      'with a required field that would be cleared',
      refer({ field: 'spec.owner', onDelete: 'clear' }),
      'KF4046 the field cannot be cleared: it is required',
    ],
    [
      'with a default that would come back',
      refer({ field: 'spec.usual', onDelete: 'clear' }),
      'KF4046 the field cannot be cleared: its default would set it again',
    ],
    [
      'with an immutable field that would be cleared',
      refer({ field: 'spec.fixed', onDelete: 'clear' }),
      'KF4046 the field cannot be cleared: it is immutable',
    ],
    [
      'with an item of a list that would be cleared',
      refer({ field: 'spec.tags[]', onDelete: 'clear' }),
      'KF4046 the field cannot be cleared: it is in a list',
    ],
    [
      'for a field that refers already',
      { references: [...(refer({}).references as JsonObject[]), { field: 'spec.project', kind: 'Thing' }] },
      'KF4046 `spec.project` already refers to a kind',
    ],
    [
      'with an unknown way of deletion',
      refer({ onDelete: 'ignore' }),
      'KF2006 `onDelete` must be one of "refuse", "cascade", "clear", not "ignore"',
    ],
    [
      'to a kind that the group does not have',
      refer({ kind: 'Projct' }),
      'KF4047 no definition of group "example.com" has kind Projct',
    ],
    [
      'to a kind in namespaces from one that is not',
      { scope: 'Cluster', ...refer({}) },
      'KF4047 objects of Project are in namespaces, but Thing is not: name the namespace by `namespaceField`',
    ],
    [
      'for values in lists',
      unique({ fields: ['spec.members[].user'] }),
      'KF4046 values in lists cannot be unique among objects',
    ],
    [
      'for whole lists',
      unique({ fields: ['spec.tags'] }),
      'KF4046 the field has type array, not string or integer or number or boolean',
    ],
    [
      'for unique objects',
      unique({ fields: ['spec'] }),
      'KF4046 the field has type object, not string or integer or number or boolean',
    ],
    [
      'for unique fields that are not there',
      unique({ fields: ['spec.prt'] }),
      'KF4014 the path leads nowhere: field `prt` does not exist',
    ],
    [
      'within namespaces that the kind does not have',
      { scope: 'Cluster', ...unique({ within: 'namespace' }) },
      'KF4046 objects of the cluster have no namespace',
    ],
    [
      'with a condition on a field that is not there',
      unique({ when: 'self.spec.prt > 1' }),
      "KF4025 the expression cannot be compiled: 1:10 undefined field 'prt'",
    ],
    [
      'with a condition that is no question',
      unique({ when: 'self.spec.owner' }),
      'KF4025 a condition must yield true or false',
    ],
  ])('%s', (_title, more, problem) => {
    expect(problemsOf(more)).toEqual([problem]);
  });

  it('if the kind is virtual', () => {
    const openAPIV3Schema = { type: 'object', properties: { spec } };
    const versions = [{ name: 'v1', schema: { openAPIV3Schema } }];
    const message = 'KF4046 only kinds with stored objects can have relations';
    expect(problemsOf({ virtual: true, versions, ...refer({}) })).toContain(message);
  });

  it('at its line in the file', () => {
    const one = definition('Thing', refer({ kind: 'Projct' }));
    const [found] = load(one, project).diagnostics;
    expect(found).toMatchObject({
      file: '0.json',
      line: lineOf(one, '"Projct"'),
      suggestion: 'did you mean `Project`?',
    });
  });
});

describe('a circle of references', () => {
  const to = (kind: string, field: string, onDelete = 'refuse'): JsonObject => ({
    references: [{ field, kind, onDelete }],
  });
  const problemsIn = (...definitions: readonly JsonObject[]): readonly string[] =>
    load(...definitions).diagnostics.map(({ code, file, message }) => `${file} ${code} ${message}`);

  it('is reported in each of its kinds if all objects need it', () => {
    const need = 'need each other, so none can be created first';
    expect(problemsIn(definition('A', to('B', 'spec.owner')), definition('B', to('A', 'spec.owner')))).toEqual([
      `0.json KF4048 A → B → A ${need}`,
      `1.json KF4048 B → A → B ${need}`,
    ]);
    expect(problemsIn(definition('A', to('A', 'spec.owner')))).toEqual([`0.json KF4048 A → A ${need}`]);
  });

  it('is accepted if one of the fields may be absent', () => {
    expect(problemsIn(definition('A', to('B', 'spec.owner')), definition('B', to('A', 'spec.project')))).toEqual([]);
  });

  it('is reported if all deletes in it cascade, and not otherwise', () => {
    const loop = 'a delete of one would delete the others, and itself again:';
    const a = definition('A', to('B', 'spec.project', 'cascade'));
    expect(problemsIn(a, definition('B', to('A', 'spec.project', 'cascade')))).toEqual([
      `0.json KF4048 ${loop} A → B → A`,
      `1.json KF4048 ${loop} B → A → B`,
    ]);
    expect(problemsIn(a, definition('B', to('A', 'spec.project', 'clear')))).toEqual([]);
  });

  it('ends at a kind that is not part of it', () => {
    const a = definition('A', to('B', 'spec.owner'));
    expect(problemsIn(a, definition('B', to('B', 'spec.owner')))).toEqual([
      '1.json KF4048 B → B need each other, so none can be created first',
    ]);
  });
});
