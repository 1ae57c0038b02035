/** Caches with silent watches add the writes of their clients, in the form of the cache. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dynamicClient, openCache } from '../../../client/index.js';
import { createClient } from '../../../generated/client.js';
import { startTestServer, type TestServer } from '../../../testing/index.js';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  server.faults.add({ verb: 'watch', resource: 'configmaps', fault: { watch: 'half-open' } });
});
afterAll(() => server.dispose());

it('of metadata keep only metadata, as they read it', async () => {
  const maps = createClient(server.client).core.v1.configMaps.in('default');
  await maps.create({ metadata: { name: 'read' }, data: { a: 'b' } });
  const cache = openCache(maps.metadataOnly(), { stream: false });
  await cache.synced;
  await maps.create({ metadata: { name: 'written' }, data: { a: 'b' } });
  const [read, written] = [cache.get('default/read'), cache.get('default/written')];
  expect(Object.keys(read ?? {}).sort()).toEqual(['apiVersion', 'kind', 'metadata']);
  expect(written).toEqual({ ...read, metadata: expect.objectContaining({ name: 'written', namespace: 'default' }) });
  await cache.close();
});

it('of a dynamic client have its writes of every kind', async () => {
  const api = dynamicClient(server.client);
  const maps = (await api.resource('configmaps')).in('default');
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'dynamic' }, data: { a: '1' } };
  const cache = openCache(maps, { stream: false });
  await cache.synced;
  await api.create(map);
  expect(cache.get('default/dynamic')?.data).toEqual({ a: '1' });
  await (await api.resource('cm')).in('default').patch('dynamic', { data: { a: '2' } });
  expect(cache.get('default/dynamic')?.data).toEqual({ a: '2' });
  await api.delete(map);
  expect(cache.get('default/dynamic')).toBeUndefined();
  await cache.close();
});
