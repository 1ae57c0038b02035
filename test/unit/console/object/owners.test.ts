import { describe, expect, test } from 'vitest';
import type { ServedKind } from '../../../../client/index.js';
import { findOwners, type Known, kindsToSearch, ownerLines } from '../../../../packages/console/src/object/owners.js';

const kind = (plural: string, more: Partial<ServedKind> = {}): ServedKind => ({
  group: '',
  version: 'v1',
  plural,
  kind: plural,
  scope: 'Namespaced',
  subresources: [],
  verbs: ['list'],
  shortNames: [],
  singular: '',
  categories: [],
  isPreferred: true,
  ...more,
});

const known = (uid: string, ...owners: string[]): Known => ({
  kind: kind('things'),
  object: {
    apiVersion: 'v1',
    kind: 'Thing',
    metadata: {
      name: uid,
      uid,
      namespace: 'shop',
      ownerReferences: owners.map((owner) => ({
        apiVersion: 'v1',
        kind: 'Thing',
        name: owner,
        uid: owner,
        controller: true,
      })),
    },
  },
});

describe('kindsToSearch', () => {
  test('includes each kind once, in its preferred version, if it can be listed and is not an event', () => {
    const kinds = [
      kind('things', { version: 'v1beta1', isPreferred: false }),
      kind('things'),
      kind('reviews', { verbs: ['create'] }),
      kind('events'),
      kind('things', { group: 'other' }),
    ];
    expect(kindsToSearch(kinds)).toEqual([kind('things'), kind('things', { group: 'other' })]);
  });
});

describe('findOwners', () => {
  const all = new Map([known('top'), known('middle', 'top')].map((each) => [each.object.metadata.name, each]));

  test('looks up owners and their owners, each once', async () => {
    const owners = await findOwners(known('self', 'middle', 'top').object, async ({ name }) => all.get(name));
    expect(owners.map(({ level, reference, known }) => [level, reference.name, known !== undefined])).toEqual([
      [1, 'middle', true],
      [1, 'top', true],
    ]);
  });

  test('does not treat another object of the same name as an owner', async () => {
    const [owner] = await findOwners(known('self', 'middle').object, async () => known('other'));
    expect(owner?.known).toBeUndefined();
  });

  test('ends at an object that is its own ancestor', async () => {
    const loop = known('a', 'b');
    const owners = await findOwners(loop.object, async ({ name }) => (name === 'b' ? known('b', 'a') : loop));
    expect(owners.map(({ reference }) => reference.name)).toEqual(['b']);
  });
});

describe('ownerLines', () => {
  test('indents owners above the object and dependents below it', async () => {
    const self = known('self', 'top');
    const owners = await findOwners(self.object, async () => known('top'));
    const others = [
      known('grandchild', 'child'),
      known('child', 'self'),
      known('stranger', 'x'),
      known('sibling', 'self'),
    ];
    expect(ownerLines(self, owners, others).map(({ depth, name, relation }) => [depth, name, relation])).toEqual([
      [0, 'top', 'owner'],
      [1, 'self', 'this'],
      [2, 'child', 'dependent'],
      [3, 'grandchild', 'dependent'],
      [2, 'sibling', 'dependent'],
    ]);
  });

  test('shows dependents that own each other once', () => {
    const others = [known('a', 'self', 'b'), known('b', 'a')];
    expect(ownerLines(known('self'), [], others).map(({ name }) => name)).toEqual(['self', 'a', 'b']);
  });
});
