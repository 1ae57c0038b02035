/** Kills a server while it collects garbage. After another start, the server collects all garbage. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { effort } from '../support/effort.js';
import { OwnedObjects, ownerOf } from '../support/owned-objects.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { type ServerProcess, startServerProcess } from '../support/server-process.js';

const folder = scratchFolder();
let server: ServerProcess;
beforeAll(async () => {
  server = await start();
}, 300_000);
afterAll(() => server.kill());

const start = (): Promise<ServerProcess> =>
  startServerProcess('--storage', `lmdb:${folder}`, '--controllers', 'garbagecollector');
const objects = (): OwnedObjects => new OwnedObjects({ baseUrl: server.url });

/**
 * Creates families of an owner, its child and the child's children. One more child of each stays with another owner.
 */
async function createFamilies(count: number): Promise<void> {
  const other = await objects().create('other');
  await objects().create('kept', [ownerOf(other)]);
  const owner = await objects().create('owner');
  await objects().create('shared', [ownerOf(owner), ownerOf(other)]);
  await Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const child = await objects().create(`family-${i}`, [ownerOf(owner, { blockOwnerDeletion: i % 2 === 0 })]);
      for (const name of ['a', 'b', 'c'])
        await objects().create(`family-${i}-${name}`, [ownerOf(child, { blockOwnerDeletion: name === 'a' })]);
    }),
  );
}

const rounds = effort('KINDFORGE_GARBAGE_KILLS', 2, 10);

it(`leaves no object without its owner, killed ${rounds} times`, async () => {
  for (let round = 0; round < rounds; round++) {
    await createFamilies(100);
    await objects().delete('owner', round % 2 === 0 ? 'Foreground' : 'Background');
    await sleep(20 + Math.random() * 400);
    await server.kill();
    server = await start();
    await expect.poll(() => objects().names(), { timeout: 30_000, interval: 100 }).toEqual(['kept', 'other', 'shared']);
    expect(await objects().owners('shared')).toEqual(['other']);
    await objects().delete('other', 'Background');
    await expect.poll(() => objects().names(), { timeout: 30_000 }).toEqual([]);
  }
}, 300_000);
