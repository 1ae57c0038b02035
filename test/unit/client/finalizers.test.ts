import { afterAll, expect, it } from 'vitest';
import { createResourceClient, ensureFinalizer, isConflict, removeFinalizer } from '../../../client/index.js';
import { configMaps as resource } from '../../../generated/core/v1/configmaps/resource.js';
import type { ConfigMap } from '../../../generated/core/v1/index.js';
import { startTestServer } from '../../../testing/index.js';

const server = await startTestServer();
afterAll(() => server.dispose());

const configMaps = createResourceClient(resource, server.client);
const maps = configMaps.in('default');
const finalizer = 'example.com/clean';

it('adds a finalizer once, keeps a deleted object with it, and releases the object without it', async () => {
  const made = await maps.create({ metadata: { name: 'one', finalizers: ['example.com/other'] } });
  const held = await ensureFinalizer(configMaps, made, finalizer);
  expect(held.metadata.finalizers).toEqual(['example.com/other', finalizer]);
  expect(await ensureFinalizer(maps, held, finalizer)).toBe(held);
  await maps.delete('one');
  const ending = await maps.get('one');
  expect(await ensureFinalizer(maps, ending, 'example.com/late')).toBe(ending);
  await removeFinalizer(maps, ending, finalizer);
  const left = await maps.get('one');
  expect(left.metadata.finalizers).toEqual(['example.com/other']);
  await removeFinalizer(configMaps, left, 'example.com/other');
  expect((await maps.list()).items).toEqual([]);
  await removeFinalizer(configMaps, left, 'example.com/other');
});

it('rejects with a conflict if another client was faster', async () => {
  const made = await maps.create({ metadata: { name: 'two' } });
  await maps.patch('two', { data: { a: 'b' } });
  expect(isConflict(await ensureFinalizer(maps, made, finalizer).catch((error: unknown) => error))).toBe(true);
});

it('refuses an object of a namespaced kind without its namespace', async () => {
  const made: ConfigMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'three' } };
  await expect(ensureFinalizer(configMaps, made, finalizer)).rejects.toThrow('configmaps live in namespaces');
});
