/** Request paths as parts, and paths without a resource. */
import { describe, expect, it } from 'vitest';
import type { DeprecatedUse, ResourceModule } from '../../../../runtime/contract/index.js';
import { kubernetesNaming, type Naming, platformNaming } from '../../../../runtime/objects/names/naming.js';
import { type ResourcePath, readPath } from '../../../../runtime/registry/route.js';
import { suiteApi } from '../../../support/test-api.js';
import { widget, widgetStatus, widgets } from '../../../support/widgets.js';

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

describe('paths without a resource', () => {
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

const scale = {
  name: 'scale',
  verbs: ['get'],
  writes: ['spec.size'],
  writesMetadata: false,
  scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' },
} as const;

const old: ResourceModule = {
  ...widgets,
  subresources: [widgetStatus, scale],
  stability: {
    level: 'beta',
    introduced: '1.20',
    deprecated: '1.26',
    removed: '1.29',
    replacement: { group: 'storage.platform.io', version: 'v2' },
  },
};

async function deprecatedApi(module: ResourceModule, naming: Naming = platformNaming) {
  const uses: (DeprecatedUse & { readonly method: string })[] = [];
  const api = await suiteApi([module], {
    naming,
    onDeprecatedUse: (use, { method }) => uses.push({ ...use, method }),
  });
  return { api, uses };
}

const warning = (group: string): string =>
  `299 - "example.com/v1 Widget is deprecated in v1.26+, unavailable in v1.29+; use ${group}/v2 Widget"`;
const collection = '/apis/example.com/v1/namespaces/default/widgets';

const use = (method: string, subresource = '') => ({
  method,
  group: 'example.com',
  version: 'v1',
  resource: 'widgets',
  subresource,
  removedRelease: '1.29',
  annotations: { 'platform.io/deprecated': 'true', 'platform.io/removed-release': '1.29' },
});

describe('a request to a deprecated version', async () => {
  const { api, uses } = await deprecatedApi(old);
  it.each([
    ['POST', collection, widget('one'), 201],
    ['POST', collection, { ...widget('two'), spec: { size: 0 } }, 422],
    ['GET', collection, undefined, 200],
    ['GET', `${collection}/one`, undefined, 200],
    ['GET', `${collection}/none`, undefined, 404],
    ['PATCH', `${collection}/one`, { spec: { size: 2 } }, 200],
    ['PATCH', `${collection}/one/status`, { status: { ready: true } }, 200],
    ['GET', `${collection}/one/scale`, undefined, 200],
    ['DELETE', `${collection}/one`, undefined, 200],
    ['DELETE', collection, undefined, 200],
  ] as const)('%s %s warns', async (method, path, body, code) => {
    uses.length = 0;
    const reply = await api.send(method, path, body);
    expect(reply.code).toBe(code);
    expect(reply.headers.warning).toEqual([warning('storage.platform.io')]);
    expect(uses).toEqual([use(method, path.split('/')[8])]);
  });

  it('warns watchers', async () => {
    uses.length = 0;
    const watch = await api.watch(`${collection}?watch=true`);
    watch.stop();
    expect(uses).toEqual([use('GET')]);
  });

  it('warns of nothing if the path does not exist', async () => {
    uses.length = 0;
    for (const path of ['/apis/example.com/v1/gadgets', '/apis/example.com/v1']) {
      expect((await api.send('GET', path)).headers.warning).toBeUndefined();
    }
    expect((await api.send('BREW', collection, widget('one'))).code).toBe(405);
    expect((await api.send('GET', `${collection}/one/nothing`)).code).toBe(404);
    expect(uses).toEqual([]);
  });
});

it('names its replacement and annotations under the served naming', async () => {
  const { api, uses } = await deprecatedApi(old, kubernetesNaming);
  const { headers } = await api.send('GET', collection);
  expect(headers.warning).toEqual([warning('storage.k8s.io')]);
  expect(uses.map(({ annotations }) => annotations)).toEqual([
    { 'k8s.io/deprecated': 'true', 'k8s.io/removed-release': '1.29' },
  ]);
});

it('has no release in it if its end is undecided', async () => {
  const { api, uses } = await deprecatedApi({ ...widgets, deprecation: { message: 'use gadgets' } });
  expect((await api.send('GET', collection)).headers.warning).toEqual(['299 - "use gadgets"']);
  expect(uses).toMatchObject([{ removedRelease: '', annotations: { 'platform.io/deprecated': 'true' } }]);
});

it('is not sent if a built-in kind answers with another kind', async () => {
  const { api, uses } = await deprecatedApi({ ...old, decoding: 'typed' });
  await api.send('POST', collection, widget('one', { size: 2 }));
  uses.length = 0;
  const scaled = await api.send('GET', `${collection}/one/scale`);
  expect([scaled.code, scaled.headers.warning, uses]).toEqual([200, undefined, []]);
});
