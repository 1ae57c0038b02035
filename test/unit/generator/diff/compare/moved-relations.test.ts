/** Relations follow their fields to another stored version if these only move. */
import { describe, expect, test } from 'vitest';
import { analyseFolder } from '../../../../../generator/check/load-definitions.js';
import { moveRelations } from '../../../../../generator/diff/compare/moved-relations.js';
import { folderOfBytes } from '../../../../../generator/load/load-folder.js';
import type { ResourceModel } from '../../../../../generator/model/model.js';
import type { JsonObject } from '../../../../../runtime/contract/index.js';
import { nativeResource } from '../../../../support/kinds.js';

/** Returns a kind that stores one of its two versions. The steps lead from v1 to v2. */
function kind(stored: 'v1' | 'v2', steps: readonly JsonObject[], unique: readonly JsonObject[] = []): ResourceModel {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const definition = nativeResource({
    kind: 'Widget',
    spec: { unique: [...unique] },
    versions: [
      { name: 'v1', storage: stored === 'v1', schema, conversion: { steps: [...steps] } },
      { name: 'v2', storage: stored === 'v2', schema },
    ],
  });
  const files = folderOfBytes([{ path: 'widgets.yaml', bytes: Buffer.from(JSON.stringify(definition)) }]);
  const [resource] = analyseFolder(files, undefined, 'shape').model.resources;
  if (resource === undefined) throw new Error('the definition has no resource');
  return resource;
}

const move = (field: string, stored: string, more: JsonObject = {}): JsonObject => ({
  move: { field, stored, ...more },
});

describe('a unique field', () => {
  test.each<[string, readonly JsonObject[], string]>([
    ['moves', [move('spec.host', 'spec.dns.host')], 'spec.dns.host'],
    ['moves with the object around it', [move('spec', 'data')], 'data.host'],
    ['moves below a place', [{ within: { path: 'spec', steps: [move('host', 'name')] } }], 'spec.name'],
    // The steps to the stored version begin with the last one.
    ['moves twice', [move('spec.b', 'spec.c'), move('spec.host', 'spec.b')], 'spec.c'],
    ['moves once if the other step comes before', [move('spec.host', 'spec.b'), move('spec.b', 'spec.c')], 'spec.b'],
    ['stays where another field with the same beginning moves', [move('spec.hostname', 'spec.name')], 'spec.host'],
    [
      'stays if it is filled in',
      [move('spec.host', 'spec.a'), { default: { stored: 'spec.a', value: 'x' } }],
      'spec.host',
    ],
    ['stays if only some values move', [move('spec.host', 'spec.a', { type: 'string' })], 'spec.host'],
    ['stays if absence has a value', [move('spec.host', 'spec.a', { absent: 'x' })], 'spec.host'],
    [
      'stays if it is split',
      [{ join: { fields: ['spec.host', 'spec.b'], stored: 'spec.a', separator: ':' } }],
      'spec.host',
    ],
    ['stays if another field takes its place', [move('spec.other', 'spec.host')], 'spec.host'],
  ])('%s', (_title, steps, expected) => {
    const { unique } = moveRelations(kind('v1', [], [{ fields: ['spec.host'] }]), kind('v2', steps));
    expect(unique.map(({ fields }) => fields)).toEqual([[expected]]);
  });

  test('stays if the stored version does', () => {
    const steps = [move('spec.host', 'spec.a')];
    const old = kind('v2', steps, [{ fields: ['spec.host'] }]);
    expect(moveRelations(old, kind('v2', steps)).unique).toEqual(old.unique);
  });

  test('stays if its rule has a condition', () => {
    const old = kind('v1', [], [{ fields: ['spec.host'], when: 'has(self.spec)' }]);
    expect(moveRelations(old, kind('v2', [move('spec.host', 'spec.a')])).unique).toEqual(old.unique);
  });
});
