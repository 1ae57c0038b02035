/** Relations hold on every kind of store: with several servers over one, and after a crash that left a lock behind. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { platformNaming } from '../../../../runtime/objects/names/naming.js';
import { attributeReader } from '../../../../runtime/server/index.js';
import { lmdbBackend, openDriver, openEtcdStore, unstorageBackend } from '../../../../runtime/storage/index.js';
import { type EtcdCluster, etcdOrWhyNot, hasEtcd, startEtcd } from '../../../support/etcd.js';
import { modulesOfDefinitions, relatedDefinition, relatedObject, relatedPath } from '../../../support/related-kinds.js';
import { startTestApi, type TestApi } from '../../../support/test-api.js';

const modules = modulesOfDefinitions(
  relatedDefinition('Project', []),
  relatedDefinition('Environment', ['project', 'host'], {
    references: [{ field: 'spec.project', kind: 'Project' }],
    unique: [{ fields: ['spec.host'] }],
  }),
);

const environment = (name: string, spec: { project?: string; host?: string }) =>
  relatedObject('Environment', name, spec);
const codesOf = (replies: readonly { readonly code: number }[]): readonly number[] =>
  replies.map(({ code }) => code).sort((a, b) => a - b);

const folder = mkdtempSync(join(tmpdir(), 'kindforge-claims-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Races creates of one value, and creates against deletes, through some servers over one store. */
async function race(servers: readonly TestApi[], creates: number): Promise<void> {
  const of = (index: number): TestApi => servers[index % servers.length] ?? expect.fail('no server');
  const post = (index: number, plural: string, object: unknown) => of(index).send('POST', relatedPath(plural), object);
  const racing = Array.from({ length: creates }, (_, i) =>
    post(i, 'environments', environment(`e-${i}`, { host: 'one' })),
  );
  expect(codesOf(await Promise.all(racing))).toEqual([201, ...Array.from({ length: creates - 1 }, () => 422)]);
  for (let round = 0; round < 5; round++) {
    const name = `p-${round}`;
    expect((await post(0, 'projects', relatedObject('Project', name))).code).toBe(201);
    const naming = Array.from({ length: 6 }, (_, i) =>
      post(i, 'environments', environment(`${name}-${i}`, { project: name })),
    );
    const path = `${relatedPath('projects')}/${name}`;
    const [deleted, ...created] = await Promise.all([of(round).send('DELETE', path), ...naming]);
    const isThere = (await of(round + 1).send('GET', path)).code === 200;
    expect(isThere).toBe(deleted.code === 409);
    expect(created.map(({ code }) => code).filter((code) => code !== 201 && code !== 422)).toEqual([]);
    expect(created.some(({ code }) => code === 201)).toBe(isThere);
  }
  for (const { defects } of servers) expect(defects).toEqual([]);
}

it('on lmdb, and again after a restart on the same data', async () => {
  const place = join(folder, 'lmdb');
  const first = await startTestApi(modules, { backend: await lmdbBackend(place) });
  await race([first], 100);
  await first.close();
  const lock = /^!claims/;
  const second = await startTestApi(modules, { backend: await lmdbBackend(place) });
  const left = second.store.list('!');
  expect(typeof left === 'string' ? left : left.entries.filter(({ key }) => lock.test(key))).toEqual([]);
  const again = await second.send('POST', relatedPath('environments'), environment('again', { host: 'one' }));
  expect(again.code).toBe(422);
  await second.close();
});

it('without waiting for a lock that a crash has left behind', async () => {
  const place = join(folder, 'crashed');
  const first = await startTestApi(modules, { backend: await lmdbBackend(place) });
  const project = relatedObject('Project', 'p');
  await first.send('POST', relatedPath('projects'), project);
  const keys: string[] = [];
  const watching = first.store.watch('!claims/', first.store.revision, {
    event: ({ entry: { key } }) => keys.push(key),
    ended: () => {},
  });
  await first.send('DELETE', `${relatedPath('projects')}/p`);
  await first.send('POST', relatedPath('projects'), project);
  const [key = ''] = keys;
  const text = '{"kind":"Claim","apiVersion":"kindforge.dev/v1","metadata":{"resourceVersion":""}}';
  const next = { text, revisionAt: text.indexOf('""') + 1, attributes: { labels: {}, fields: {} } };
  expect(await first.store.commit({ key, expected: 0, next })).toMatchObject({ outcome: 'committed' });
  expect(watching).toHaveProperty('stop');
  await first.close();
  const second = await startTestApi(modules, { backend: await lmdbBackend(place) });
  expect(second.store.get(key)).toBeDefined();
  const created = await second.send('POST', relatedPath('environments'), environment('e', { project: 'p' }));
  expect(created.code).toBe(201);
  expect((await second.send('DELETE', `${relatedPath('projects')}/p`)).code).toBe(409);
  await second.close();
});

it('on an unstorage driver', async () => {
  const { driver, release } = await openDriver('fs-lite', { base: join(folder, 'unstorage') });
  const api = await startTestApi(modules, { backend: await unstorageBackend(driver, { release }) });
  await race([api], 30);
  await api.close();
});

/** Creates objects that name another one, while others change it through all servers. Returns how many were refused. */
async function nameWhileChanging(servers: readonly TestApi[], pauseMs: number): Promise<number> {
  const [first] = servers;
  await first?.send('POST', relatedPath('projects'), relatedObject('Project', 'busy'));
  let isDone = false;
  const changing = servers.map(async (server) => {
    for (let i = 0; !isDone; i++) {
      const status = { phase: `${i}` };
      await server.send('PUT', `${relatedPath('projects')}/busy/status`, {
        ...relatedObject('Project', 'busy'),
        status,
      });
      await sleep(pauseMs);
    }
  });
  const creating = Array.from({ length: 40 }, (_, i) =>
    servers[i % servers.length]?.send(
      'POST',
      relatedPath('environments'),
      environment(`busy-${i}`, { project: 'busy' }),
    ),
  );
  const replies = await Promise.all(creating);
  isDone = true;
  await Promise.all(changing);
  return replies.filter((reply) => reply?.code !== 201).length;
}

describe.runIf(hasEtcd)(`on ${etcdOrWhyNot}`, () => {
  let etcd: EtcdCluster;
  beforeAll(async () => {
    etcd = await startEtcd();
  });
  afterAll(() => etcd.dispose());

  it('with two servers that race', async () => {
    const open = () =>
      openEtcdStore({
        endpoints: etcd.endpoints,
        prefix: '/race/',
        readAttributes: attributeReader(modules, platformNaming),
      });
    const stores = [await open(), await open()];
    const servers = await Promise.all(stores.map((store) => startTestApi(modules, { store })));
    await race(servers, 100);
    // Each server changes the named object up to fifty times a second.
    expect(await nameWhileChanging(servers, 20)).toBe(0);
    for (const { close } of servers) await close();
    for (const store of stores) await store.close();
  });
});
