/** A server that creates namespaces when they are needed. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClient } from '../../../../generated/index.js';
import { type RunningServer, startServer } from '../../../../server/index.js';

let server: RunningServer;
beforeAll(async () => {
  server = await startServer({ http: false, admission: { enable: ['NamespaceAutoProvision'] }, controllers: [] });
  // Its start reads definitions in the background, which the end of a short test would cut off.
  await createClient(server.client()).apiextensions.v1.customResourceDefinitions.list();
});
afterAll(() => server.stop());

const core = () => createClient(server.client()).core.v1;

it('creates one namespace for many creates at once, as the server itself', async () => {
  const maps = core().configMaps.in('crowded');
  const names = Array.from({ length: 20 }, (_, i) => `m${i}`);
  await Promise.all(names.map((name) => maps.create({ metadata: { name } })));
  expect((await maps.list()).items).toHaveLength(20);
  const { metadata, spec, status } = await core().namespaces.get('crowded');
  expect({ labels: metadata.labels, spec, status }).toEqual({
    labels: { 'platform.io/metadata.name': 'crowded' },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  });
  expect(metadata.managedFields?.map(({ manager }) => manager)).toEqual(['kube-apiserver']);
});

it('keeps it if the create then fails', async () => {
  await expect(
    core()
      .configMaps.in('left')
      .create({ metadata: { name: 'NO NAME' } }),
  ).rejects.toThrow('NO NAME');
  expect((await core().namespaces.get('left')).metadata.name).toBe('left');
});

it('creates none for a dry run', async () => {
  const create = core()
    .configMaps.in('dry')
    .create({ metadata: { name: 'a' } }, { dryRun: true });
  await expect(create).rejects.toThrow('namespaces "dry" not found');
  await expect(core().namespaces.get('dry')).rejects.toThrow('not found');
});
