import type { ServedKind } from 'kindforge/client';
import { describe, expect, it } from 'vitest';
import { navigationOf, ownKinds } from '../../../../packages/console/src/data/navigation.js';

const kind = (group: string, name: string, more: Partial<ServedKind> = {}): ServedKind => ({
  group,
  version: 'v1',
  plural: `${name.toLowerCase()}s`,
  singular: name.toLowerCase(),
  kind: name,
  scope: 'Namespaced',
  shortNames: [],
  categories: [],
  isPreferred: true,
  subresources: [],
  verbs: ['list'],
  ...more,
});
const shown = (kinds: readonly ServedKind[]) =>
  navigationOf(kinds).map(({ title, kinds: inGroup }) => [title, inGroup.map((one) => `${one.kind} ${one.version}`)]);

describe('groups of kinds', () => {
  it.each(['k8s', 'platform'])('begin with the kinds of the user, if built-in groups end with %s.io', (suffix) => {
    const kinds = [
      kind('', 'Pod'),
      kind('apps', 'Deployment'),
      kind(`rbac.authorization.${suffix}.io`, 'Role'),
      kind('shop.example.com', 'Widget'),
    ];
    expect(shown(kinds)).toEqual([
      ['Your kinds', ['Widget v1']],
      ['Core', ['Pod v1']],
      ['Workloads', ['Deployment v1']],
      ['Access', ['Role v1']],
    ]);
  });

  it('have a kind once, in the preferred version, and none that cannot be listed', () => {
    const kinds = [
      kind('shop.example.com', 'Widget', { isPreferred: false, version: 'v1beta1' }),
      kind('shop.example.com', 'Widget'),
      kind('shop.example.com', 'Review', { verbs: ['create'] }),
      kind('a.example.com', 'Apple'),
    ];
    expect(shown(kinds)).toEqual([['Your kinds', ['Apple v1', 'Widget v1']]]);
  });
});

describe('kinds of the user', () => {
  it('are in groups that no server has by default, whatever their names', () => {
    const groups = ['', 'apps', 'storage.k8s.io', 'storage.platform.io', 'shop.example.com', 'shop'];
    expect(ownKinds(groups.map((group) => kind(group, 'Widget'))).map(({ group }) => group)).toEqual([
      'shop',
      'shop.example.com',
    ]);
  });
});
