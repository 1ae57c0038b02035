/** Request paths taken apart, and paths that are none of a resource. */
import { describe, expect, it } from 'vitest';
import { type ResourcePath, readPath } from '../../../../runtime/registry/route.js';

const core = { group: '', version: 'v1', namespaced: false, namespace: '', name: '', subresource: '', watch: false };
const named = { ...core, group: 'example.com' };

describe('paths of resources', () => {
  it.each<[string, ResourcePath]>([
    ['/api/v1/nodes', { ...core, plural: 'nodes' }],
    ['/api/v1/nodes/', { ...core, plural: 'nodes' }],
    ['/api/v1/nodes/a', { ...core, plural: 'nodes', name: 'a' }],
    ['/api/v1/nodes/a/status', { ...core, plural: 'nodes', name: 'a', subresource: 'status' }],
    ['/apis/example.com/v1/widgets', { ...named, plural: 'widgets' }],
    ['/apis/example.com/v1/namespaces/n/widgets', { ...named, namespaced: true, namespace: 'n', plural: 'widgets' }],
    [
      '/apis/example.com/v1/namespaces/n/widgets/a',
      { ...named, namespaced: true, namespace: 'n', plural: 'widgets', name: 'a' },
    ],
    [
      '/apis/example.com/v1/namespaces/n/widgets/a/status',
      { ...named, namespaced: true, namespace: 'n', plural: 'widgets', name: 'a', subresource: 'status' },
    ],
    ['/api/v1/nodes/a/proxy/b/c/d', { ...core, plural: 'nodes', name: 'a', subresource: 'proxy' }],
    ['/api/v1/nodes///', { ...core, plural: 'nodes' }],
    ['/api/v1/nodes/system%3Aa%2Fb', { ...core, plural: 'nodes', name: 'system:a', subresource: 'b' }],
    ['/%61pi%2Fv1/nodes', { ...core, plural: 'nodes' }],
    ['/api/v1/nodes/a%25b', { ...core, plural: 'nodes', name: 'a%b' }],
  ])('%s', (path, expected) => {
    expect(readPath(path).resource).toEqual(expected);
  });
});

describe('namespaces, which are a resource and a place', () => {
  it.each<[string, Partial<ResourcePath>]>([
    ['/api/v1/namespaces', { plural: 'namespaces', name: '' }],
    ['/api/v1/namespaces/n', { plural: 'namespaces', name: 'n', namespace: '' }],
    ['/api/v1/namespaces/n/status', { plural: 'namespaces', name: 'n', subresource: 'status' }],
    ['/api/v1/namespaces/n/finalize', { plural: 'namespaces', name: 'n', subresource: 'finalize' }],
    ['/api/v1/namespaces/n/secrets', { plural: 'secrets', namespaced: true, namespace: 'n' }],
    ['/api/v1/namespaces//secrets', { plural: 'secrets', namespaced: true }],
    ['/api/v1/namespaces//secrets/a', { plural: 'secrets', namespaced: true, name: 'a' }],
  ])('%s', (path, expected) => {
    expect(readPath(path).resource).toEqual({ ...core, ...expected });
  });
});

describe('the watch form', () => {
  it.each<[string, Partial<ResourcePath>]>([
    ['/api/v1/watch/secrets', { plural: 'secrets' }],
    ['/api/v1/watch/namespaces/n/secrets', { plural: 'secrets', namespaced: true, namespace: 'n' }],
    ['/api/v1/watch/namespaces/n/secrets/a', { plural: 'secrets', namespaced: true, namespace: 'n', name: 'a' }],
  ])('%s', (path, expected) => {
    expect(readPath(path).resource).toEqual({ ...core, ...expected, watch: true });
  });

  it('needs a resource after it; alone it is a resource of that name', () => {
    expect(readPath('/api/v1/watch').resource).toEqual({ ...core, plural: 'watch' });
  });
});

describe('paths of no resource', () => {
  it.each([
    '/',
    '/api',
    '/api/v1',
    '/api/v1/',
    '/apis',
    '/apis/example.com',
    '/apis/example.com/v1',
    '/healthz/a/b',
    '/api/v1//nodes',
    '/api/v1/nodes//a',
    '/api/v1/namespaces//status',
    '/api/v1/namespaces//secrets//a',
    '/api/v1/nodes/a/status/b',
    '/api/v1/namespaces/n/secrets/a/status/b',
    '/api/v1/namespaces/n/status/a',
    '/api/v1/nodes/%',
    '/api/v1/nodes/%ff',
    `/api/v1/${'a/'.repeat(10_000)}`,
  ])('%.60s', (path) => {
    expect(readPath(path).resource).toBeUndefined();
  });
});
