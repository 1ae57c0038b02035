import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startTestServer } from '../../../testing/index.js';
import { nativeResource } from '../../support/kinds.js';
import { scratchFolder } from '../../support/scratch-folder.js';

const definition = nativeResource({ kind: 'Gate', group: 'shop.example.com', scope: 'Cluster' });

const configuration = `
export default {
  naming: 'kubernetes',
  controllers: [
    {
      name: 'marker',
      async run({ signal, onReady }) {
        globalThis.markerRuns = (globalThis.markerRuns ?? 0) + 1;
        onReady();
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      },
    },
  ],
};
`;

const gate = { apiVersion: 'shop.example.com/v1', kind: 'Gate', metadata: { name: 'one' } };

const configMaps = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', scope: 'Namespaced' } as const;

const folder = scratchFolder({
  'schemas/gates.yaml': JSON.stringify(definition),
  'kindforge.config.mjs': configuration,
});

const runs = (): unknown => Reflect.get(globalThis, 'markerRuns');

it('have its definitions and names, and its controllers if they are enabled', async () => {
  await using quiet = await startTestServer({ project: folder });
  const [created] = await quiet.create(gate);
  expect(created?.metadata.name).toBe('one');
  await quiet.until({ resource: 'customresourcedefinitions.apiextensions.k8s.io' }, (all) => all.length === 0);
  expect(runs()).toBeUndefined();
  await using all = await startTestServer({ project: folder, controllers: true });
  expect(runs()).toBe(1);
  await using named = await startTestServer({ project: join(folder, 'kindforge.config.mjs'), controllers: ['marker'] });
  expect(runs()).toBe(2);
  expect(new Set([quiet.url, all.url, named.url]).size).toBe(3);
});

it('report options that are given otherwise', async () => {
  await using server = await startTestServer({ project: folder, naming: 'platform', definitions: [] });
  await expect(server.create(gate)).rejects.toThrow('no resource of the kind Gate');
  await server.until({ resource: 'customresourcedefinitions.apiextensions.platform.io' }, (all) => all.length === 0);
  await expect(startTestServer({ project: join(folder, 'nowhere') })).rejects.toThrow('no configuration found');
});

it('follow its settings of serve for resources and users', async () => {
  const other = mkdtempSync(join(folder, 'settings-'));
  const serve = {
    'http-port': 1,
    storage: 'lmdb:data',
    'runtime-config': { 'storage.k8s.io/v1': false },
    'disable-admission-plugins': ['NamespaceLifecycle'],
    'authorization-mode': 'AlwaysAllow',
    'max-object-bytes': '20Ki',
  };
  writeFileSync(join(other, 'kindforge.config.yaml'), JSON.stringify({ naming: 'kubernetes', serve }));
  await using server = await startTestServer({ project: other });
  const map = (namespace: string, bytes = 1) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { generateName: 'a-', namespace },
    data: { a: 'a'.repeat(bytes) },
  });
  await server.create(map('nowhere'));
  await expect(server.create(map('default', 30_000))).rejects.toThrow('Request entity too large');
  const jane = server
    .asUser('jane')
    .resource({ ...configMaps, subresources: [] })
    .in('nowhere');
  expect((await jane.list()).items).toHaveLength(1);
  await expect(server.until({ resource: 'storage.k8s.io/v1/storageclasses' }, () => true)).rejects.toThrow(
    'no resource',
  );
  await using given = await startTestServer({ project: other, authorization: { modes: ['RBAC'] }, runtimeConfig: '' });
  await given.until({ resource: 'storage.k8s.io/v1/storageclasses' }, (all) => all.length === 0);
  await expect(
    given
      .asUser('jane')
      .resource({ ...configMaps, subresources: [] })
      .list(),
  ).rejects.toThrow('jane');
});

it('refuse settings that cannot be used', async () => {
  const other = mkdtempSync(join(folder, 'wrong-'));
  writeFileSync(join(other, 'kindforge.config.yaml'), JSON.stringify({ serve: { 'authorization-mode': 'RBCA' } }));
  await expect(startTestServer({ project: other })).rejects.toThrow(/serve\.authorization-mode: RBCA is unknown/);
});

it('need no page to be built', async () => {
  const other = mkdtempSync(join(folder, 'page-'));
  writeFileSync(join(other, 'kindforge.config.yaml'), JSON.stringify({ naming: 'kubernetes', static: 'web/dist' }));
  await using server = await startTestServer({ project: other });
  expect((await server.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'one' } }))[0]).toBeDefined();
});
