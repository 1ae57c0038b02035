import { describe, expect, it } from 'vitest';
import { type ApiObjectLike, defineResource, type OwnerReference } from '../../../../client/index.js';
import { type CacheOf, forEachOwned, watch, watchOwned } from '../../../../controllers/kit/index.js';

const resource = (plural: string, kind: string, scope: 'Cluster' | 'Namespaced') =>
  defineResource<ApiObjectLike>()({
    group: 'shop.platform.io',
    kubernetesGroup: 'shop.k8s.io',
    version: 'v1',
    plural,
    kind,
    scope,
    subresources: [],
  } as const);
const projects = resource('projects', 'Project', 'Namespaced');
const tenants = resource('tenants', 'Tenant', 'Cluster');
const sites = resource('sites', 'Site', 'Namespaced');

const owner = (change: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion: 'shop.platform.io/v1',
  kind: 'Project',
  name: 'a',
  uid: 'u1',
  controller: true,
  ...change,
});

const site = (name: string, ...ownerReferences: OwnerReference[]): ApiObjectLike => ({
  apiVersion: 'shop.platform.io/v1',
  kind: 'Site',
  metadata: { name, namespace: 'shop', ownerReferences },
});

const nothing: CacheOf = () => ({ get: () => undefined, values: () => [], size: 0 });

describe('the key of an owner', () => {
  const watched = watchOwned(sites, projects);
  it.each([
    ['of the resource', owner(), ['shop/a']],
    ['in another version', owner({ apiVersion: 'shop.platform.io/v2' }), ['shop/a']],
    ['under its Kubernetes name', owner({ apiVersion: 'shop.k8s.io/v1' }), ['shop/a']],
    ['of another group', owner({ apiVersion: 'v1' }), []],
    ['of another kind', owner({ kind: 'Tenant' }), []],
    ['that does not control it', owner({ controller: false }), []],
  ])('is found for one %s', (_what, reference, keys) =>
    expect([...watched.keysOf(site('s', reference), nothing)]).toEqual(keys),
  );

  it('has no namespace for a cluster-scoped resource', () =>
    expect([...watchOwned(sites, tenants).keysOf(site('s', owner({ kind: 'Tenant' })), nothing)]).toEqual(['a']));

  it('is the own key of an object that is watched for itself', () =>
    expect([...watch(sites).keysOf(site('s'), nothing)]).toEqual(['shop/s']));
});

describe('forEachOwned', () => {
  const project: ApiObjectLike = { apiVersion: 'shop.platform.io/v1', kind: 'Project', metadata: { uid: 'u1' } };
  const all = [site('one', owner()), site('two', owner({ uid: 'u2' })), site('three', owner()), site('four')];
  const cache = { get: () => undefined, values: () => all, size: all.length };

  it('acts on the objects that the owner controls, one after the other', async () => {
    const told: string[] = [];
    await forEachOwned(cache, project, async ({ metadata: { name = '' } }) => {
      told.push(`begin ${name}`);
      await Promise.resolve();
      told.push(`end ${name}`);
    });
    expect(told).toEqual(['begin one', 'end one', 'begin three', 'end three']);
  });

  it('rejects with the first error, and stops', async () => {
    const told: string[] = [];
    const failing = forEachOwned(cache, project, ({ metadata: { name = '' } }) => {
      told.push(name);
      throw new Error('broken');
    });
    await expect(failing).rejects.toThrow('broken');
    expect(told).toEqual(['one']);
  });
});
