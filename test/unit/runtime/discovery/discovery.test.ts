/** Discovery documents: groups, versions in order of preference, resources and their subresources. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  apiGroup,
  apiGroupList,
  apiResourceList,
  apiVersions,
  compareGroups,
  groupsOf,
} from '../../../../runtime/discovery/discovery.js';
import { discovered } from '../../../support/discovered.js';

const registry = discovered();

const versions = ['v2', 'v1', 'v2beta1', 'v1alpha1'];

describe('groups', () => {
  it('come in order of their names, without the core group, stable versions first', () => {
    expect(groupsOf(registry)).toEqual([
      { group: 'apples.io', versions: ['v1'] },
      { group: 'example.com', versions },
    ]);
  });

  it('are listed with the preferred version', () => {
    const group = {
      name: 'example.com',
      versions: versions.map((version) => ({ groupVersion: `example.com/${version}`, version })),
      preferredVersion: { groupVersion: 'example.com/v2', version: 'v2' },
    };
    expect(apiGroup(registry, 'example.com')).toEqual({ kind: 'APIGroup', apiVersion: 'v1', ...group });
    expect(apiGroupList(registry)).toMatchObject({ kind: 'APIGroupList', groups: [{ name: 'apples.io' }, group] });
    expect(apiGroup(registry, 'other')).toBeUndefined();
  });

  it('leave the core group to a document of its own', () => {
    expect(apiVersions(registry, '127.0.0.1:80')).toEqual({
      kind: 'APIVersions',
      versions: ['v1'],
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '127.0.0.1:80' }],
    });
  });
});

/** Returns the first 8 bytes of SHA-256, in base64. */
const hashOf = (text: string): string =>
  Buffer.from(createHash('sha256').update(text).digest('hex').slice(0, 16), 'hex').toString('base64');

describe('resources of a version', () => {
  it('have a hash of the version that they are stored in', () => {
    const { resources } = apiResourceList(registry, 'example.com', 'v2');
    expect(resources).toMatchObject([
      { name: 'widgets', storageVersionHash: hashOf('example.com/v1/Widget') },
      { name: 'widgets/status' },
    ]);
    expect(hashOf('example.com/v1/Widget')).toBe('gIwvi5rymmg=');
  });

  it('come in order of their names, each followed by its subresources in the order of the definition', () => {
    expect(apiResourceList(registry, 'example.com', 'v1')).toEqual({
      kind: 'APIResourceList',
      apiVersion: 'v1',
      groupVersion: 'example.com/v1',
      resources: [
        {
          name: 'gadgets',
          singularName: 'gadget',
          namespaced: false,
          kind: 'Gadget',
          verbs: ['get', 'list'],
          storageVersionHash: hashOf('example.com/v1/Gadget'),
        },
        {
          name: 'widgets',
          singularName: 'widget',
          namespaced: true,
          kind: 'Widget',
          verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
          shortNames: ['wd'],
          categories: ['all'],
          storageVersionHash: hashOf('example.com/v1/Widget'),
        },
        {
          name: 'widgets/status',
          singularName: '',
          namespaced: true,
          kind: 'Widget',
          verbs: ['get', 'patch', 'update'],
        },
        {
          name: 'widgets/scale',
          singularName: '',
          namespaced: true,
          group: 'autoscaling',
          version: 'v1',
          kind: 'Scale',
          verbs: ['get', 'patch', 'update'],
        },
      ],
    });
  });

  it('have no apiVersion in the core group', () => {
    const list = apiResourceList(registry, '', 'v1');
    expect(list).toMatchObject({ groupVersion: 'v1', resources: [{ name: 'secrets' }] });
    expect(list).not.toHaveProperty('apiVersion');
  });
});

it('has built-in groups by rank, under either naming, and all others after them', () => {
  const groups = [
    'zoo.example.com',
    'storage.platform.io',
    'apps',
    'batch',
    'flowcontrol.apiserver.k8s.io',
    'apples.io',
  ];
  expect(groups.sort(compareGroups)).toEqual([
    'apps',
    'batch',
    'storage.platform.io',
    'flowcontrol.apiserver.k8s.io',
    'apples.io',
    'zoo.example.com',
  ]);
});
