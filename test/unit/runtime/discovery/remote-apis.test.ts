/** Versions of other servers in discovery: their place, and their resources. */
import { describe, expect, it } from 'vitest';
import {
  type RemoteApis,
  type RemoteVersion,
  remoteVersionItem,
  withRemoteGroups,
} from '../../../../runtime/discovery/remote-apis.js';

const remote = (group: string, version: string, change: Partial<RemoteVersion> = {}): RemoteVersion => ({
  group,
  version,
  resources: [],
  isCurrent: true,
  openApiV3: undefined,
  openApiV2: undefined,
  answer: () => Promise.reject(new Error('not asked')),
  answerOpenApi: () => Promise.reject(new Error('not asked')),
  ...change,
});

/** Priorities as text: `<group>` or `<version>.<group>`, and a number. */
const apisOf = (versions: readonly RemoteVersion[], priorities: Readonly<Record<string, number>>): RemoteApis => ({
  versions,
  find: () => undefined,
  groupPriority: (group) => priorities[group],
  versionPriority: (group, version) => priorities[`${version}.${group}`],
});

const own = [
  { group: 'apiregistration.platform.io', versions: ['v1'] },
  { group: 'apps', versions: ['v1'] },
  { group: 'batch', versions: ['v1'] },
  { group: 'shop', versions: ['v2', 'v1'] },
];
const isRanked = (group: string): boolean => ['apiregistration.platform.io', 'apps', 'batch'].includes(group);
const usual = { apps: 17800, batch: 17400 };

function groupsWith(
  versions: readonly RemoteVersion[],
  priorities: Readonly<Record<string, number>>,
): readonly string[] {
  const apis = apisOf(versions, { ...usual, ...priorities });
  return withRemoteGroups(own, versions, apis, isRanked).map(
    ({ group, versions: all }) => `${group}: ${all.join(' ')}`,
  );
}

const before = ['apiregistration.platform.io: v1', 'apps: v1'];
const rest = ['batch: v1', 'shop: v2 v1'];

describe('groups of other servers', () => {
  it('are ordered by their priorities, and by name if these are equal', () => {
    const versions = [remote('zoo', 'v1'), remote('art', 'v1'), remote('top', 'v1'), remote('low', 'v1')];
    expect(groupsWith(versions, { zoo: 1000, art: 1000, top: 17500, low: 10 })).toEqual([
      ...before,
      'top: v1',
      'batch: v1',
      'art: v1',
      'shop: v2 v1',
      'zoo: v1',
      'low: v1',
    ]);
  });

  it('never come before groups with a fixed place that have no APIService', () => {
    expect(groupsWith([remote('top', 'v1')], { top: 20000 })[0]).toBe('apiregistration.platform.io: v1');
  });

  it('have their versions by priority, and then from stable to alpha', () => {
    const versions = ['v1alpha1', 'v1', 'v2beta1', 'v3'].map((version) => remote('zoo', version));
    expect(groupsWith(versions, { 'v2beta1.zoo': 200 })).toEqual([...before, ...rest, 'zoo: v2beta1 v3 v1 v1alpha1']);
  });

  it('add versions to a group of this server', () => {
    expect(groupsWith([remote('shop', 'v3')], { 'v3.shop': 200 }).at(-1)).toBe('shop: v3 v2 v1');
    expect(groupsWith([remote('shop', 'v3')], { 'v3.shop': 10 }).at(-1)).toBe('shop: v2 v1 v3');
  });

  it('change nothing if there are none', () => {
    expect(withRemoteGroups(own, [], apisOf([], {}), isRanked)).toBe(own);
  });
});

describe('the item of a version', () => {
  it('is made from its resources and subresources', () => {
    const resources = [
      { name: 'gadgets', singularName: 'gadget', namespaced: true, kind: 'Gadget', verbs: ['get'], shortNames: ['gd'] },
      {
        name: 'gadgets/scale',
        singularName: '',
        namespaced: true,
        group: 'autoscaling',
        version: 'v1',
        kind: 'Scale',
        verbs: ['get'],
      },
      {
        name: 'gadgetsets',
        singularName: '',
        namespaced: false,
        kind: 'GadgetSet',
        verbs: ['list'],
        categories: ['all'],
      },
    ];
    expect(remoteVersionItem(remote('zoo', 'v1', { resources }))).toEqual({
      version: 'v1',
      freshness: 'Current',
      resources: [
        {
          resource: 'gadgets',
          responseKind: { group: 'zoo', version: 'v1', kind: 'Gadget' },
          scope: 'Namespaced',
          singularResource: 'gadget',
          verbs: ['get'],
          shortNames: ['gd'],
          subresources: [
            {
              subresource: 'scale',
              responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
              verbs: ['get'],
            },
          ],
        },
        {
          resource: 'gadgetsets',
          responseKind: { group: 'zoo', version: 'v1', kind: 'GadgetSet' },
          scope: 'Cluster',
          singularResource: '',
          verbs: ['list'],
          categories: ['all'],
        },
      ],
    });
  });

  it('is stale while the server does not answer', () => {
    expect(remoteVersionItem(remote('zoo', 'v1', { isCurrent: false })).freshness).toBe('Stale');
  });
});
