/**
 * `storedVersions` of a definition lists every version that an object is stored in, after any work of servers over the
 * same data. The test changes the stored version back and forth, while clients write and migrations run.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ApiError, type ClientOptions } from '../../client/index.js';
import { rewriteAll } from '../../server/maintenance/rewrite-all.js';
import { etcdOrWhyNot, hasEtcd, startEtcd } from '../support/etcd.js';
import { storedIn } from '../support/migration/stored-in.js';
import { defineTools, storeAs, storedVersionsOf, type ToolVersion, toolsOf } from '../support/migration/tools.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { startServing } from '../support/serving.js';

const folder = scratchFolder();

const objects = 30;
/** The number of changes of the stored version. */
const changes = 12;

/** Ignores conflicts, because other writers may be faster, and the definition may change during a request. */
function ignoreRaces(error: unknown): void {
  if (!(error instanceof ApiError && [404, 409, 503].includes(error.code))) throw error;
}

/**
 * Changes the stored version back and forth. Resolves to how often a migration could remove a version from the list.
 */
async function goBackAndForth(clients: readonly ClientOptions[]): Promise<number> {
  const [first, last = first] = [clients[0], clients.at(-1)];
  if (!first || !last) throw new Error('no server runs');
  await defineTools(first);
  const names = Array.from({ length: objects }, (_, index) => `t${index}`);
  await Promise.all(
    names.map((name) =>
      toolsOf(first, 'v1')
        .in('default')
        .create({ metadata: { name }, spec: { value: name } }),
    ),
  );
  let over = false;
  let pruned = 0;
  const writing = clients.map(async (client, writer) => {
    for (let count = 0; !over; count++) {
      const version: ToolVersion = count % 3 === 0 ? 'v1' : 'v2';
      const name = `t${(count * 7 + writer) % objects}`;
      await toolsOf(client, version)
        .in('default')
        .patch(name, { spec: { value: `${writer}-${count}` } })
        .catch(ignoreRaces);
      await sleep(3);
    }
  });
  const migrating = clients.map(async (client) => {
    while (!over) {
      const { pruned: lines } = await rewriteAll(client, { tell: () => {} });
      pruned += lines.length;
    }
  });
  for (let change = 0; change < changes; change++) {
    await storeAs(change % 2 === 0 ? last : first, change % 2 === 0 ? 'v2' : 'v1');
    // Now and then, a migration completes.
    await sleep(change % 3 === 0 ? 800 : Math.random() * 60);
  }
  over = true;
  await Promise.all([...writing, ...migrating]);
  return pruned;
}

it('lists all stored versions at any time', async () => {
  const storage = `lmdb:${join(folder, 'data')}`;
  const server = await startServing({ storage, controllers: 'none' });
  const pruned = await goBackAndForth([{ baseUrl: server.url }]);
  const told = await storedVersionsOf({ baseUrl: server.url });
  await server.stop();
  for (const version of await storedIn(storage)) expect(told).toContain(version);
  expect(pruned).toBeGreaterThan(0);
});

it.runIf(hasEtcd)(`lists all stored versions at any time with two servers over ${etcdOrWhyNot}`, async () => {
  const cluster = await startEtcd();
  const storage = `etcd:${cluster.endpoints[0]?.replace('http://', '')}`;
  const servers = [
    await startServing({ storage, controllers: 'none' }),
    await startServing({ storage, controllers: 'none' }),
  ];
  try {
    const clients = servers.map(({ url }) => ({ baseUrl: url }));
    const pruned = await goBackAndForth(clients);
    const told = await storedVersionsOf(clients[0] ?? {});
    for (const version of await storedIn(storage)) expect(told).toContain(version);
    expect(pruned).toBeGreaterThan(0);
  } finally {
    for (const server of servers) await server.stop();
    await cluster.dispose();
  }
});
