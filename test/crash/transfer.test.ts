/** Kills restores and snapshots. Their result is whole, or reports that it is not. */
import { existsSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type EmbeddedStore,
  lmdbBackend,
  openStore,
  UnfinishedRestoreError,
  verifySnapshot,
  writeSnapshot,
} from '../../runtime/storage/index.js';
import { startChild } from '../support/child.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { runCommand, spawnCommand } from '../support/server-process.js';
import { commit, encoded, listed, readAttributes } from '../support/store-objects.js';

/** Enough objects for a restore to take a while, and many batches. */
const OBJECTS = 20_000;
const ROUNDS = 6;

const folder = scratchFolder();
let snapshot: string;
const big = (): string => join(folder, 'big');
const open = (path: string): Promise<EmbeddedStore> => openStore({ backend: lmdbBackend(path), readAttributes });

beforeAll(async () => {
  snapshot = join(folder, 'snapshot');
  const store = await open(big());
  const objects = Array.from({ length: OBJECTS }, (_, index) => {
    const key = `g/things/n/${String(index).padStart(6, '0')}`;
    return { key, object: encoded(`${index}-${'x'.repeat(1000)}`) };
  });
  await store.restore(objects, 0);
  await writeSnapshot(snapshot, listed(store, ''));
  await store.close();
});

/** Runs the command, and kills it some time after a condition holds if it still runs. */
async function kill(afterMs: number, begun: () => boolean, ...args: string[]): Promise<void> {
  const { child, ended } = spawnCommand('storage', ...args);
  while (!begun() && child.exitCode === null) await sleep(5);
  await sleep(afterMs);
  child.kill('SIGKILL');
  await ended;
}

/** Returns the state of a store after a restore was killed. */
async function standingOf(path: string): Promise<'before' | 'unfinished' | 'after'> {
  try {
    const store = await open(path);
    const count = store.count('');
    await store.close();
    expect([3, OBJECTS]).toContain(count);
    return count === 3 ? 'before' : 'after';
  } catch (error) {
    expect(error).toBeInstanceOf(UnfinishedRestoreError);
    return 'unfinished';
  }
}

describe('a restore that is killed', () => {
  it('leaves the old state, the new state, or a store that reports that it has neither', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const path = join(folder, `target-${round}`);
      const store = await open(path);
      for (const name of ['a', 'b', 'c']) await commit(store, `g/things/n/${name}`, 0, name);
      await store.close();
      const args = ['restore', snapshot, '--storage', `lmdb:${path}`, '--replace'];
      await kill(round * 150, () => existsSync(join(path, 'owner')), ...args);
      await standingOf(path);
      expect(await runCommand('storage', ...args)).toMatchObject({ code: 0 });
      expect(await standingOf(path)).toBe('after');
    }
  }, 300_000);

  it('leaves a store that the server and other commands refuse, until another restore', async () => {
    const path = join(folder, 'half');
    const store = await open(path);
    await commit(store, 'g/things/n/old', 0, 'old');
    await store.close();
    const child = startChild('../crash/restorer.ts', [path]);
    expect(await child.message()).toBe('half-way');
    await child.kill();
    const storage = `lmdb:${path}`;
    for (const [code, ...command] of [
      [2, 'serve', '--storage', storage, '--http-port', 'auto', '--secure-port', '0'],
      [2, 'serve', '--storage', storage, '--http-port', 'auto', '--secure-port', '0', '--on-damage', 'serve-rest'],
      [1, 'storage', 'verify', '--storage', storage],
      [1, 'storage', 'snapshot', '--storage', storage, join(folder, 'none')],
      [1, 'storage', 'migrate', '--from', storage, '--to', `lmdb:${join(folder, 'elsewhere')}`],
      [1, 'storage', 'restore', snapshot, '--storage', storage],
    ] as const) {
      expect(await runCommand(...command)).toMatchObject({
        code,
        out: '',
        err: expect.stringContaining('a restore into this store was interrupted'),
      });
    }
    const again = await runCommand('storage', 'restore', snapshot, '--storage', storage, '--replace');
    expect(again).toMatchObject({ code: 0, out: expect.stringContaining(`${OBJECTS} objects`) });
    expect(await runCommand('storage', 'verify', '--storage', storage)).toMatchObject({ code: 0 });
  }, 300_000);
});

describe('a snapshot that is killed', () => {
  it('is whole, or does not exist', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const path = join(folder, `snapshot-${round}`);
      const begun = (): boolean => readdirSync(folder).some((name) => name.startsWith(`snapshot-${round}`));
      await kill(round * 5, begun, 'snapshot', path, '--storage', `lmdb:${big()}`);
      if (existsSync(path)) expect(await verifySnapshot(path)).toMatchObject({ objects: OBJECTS, damage: [] });
    }
    const path = join(folder, 'snapshot-0');
    await rm(path, { force: true });
    expect(await runCommand('storage', 'snapshot', path, '--storage', `lmdb:${big()}`)).toMatchObject({ code: 0 });
    expect(await verifySnapshot(path)).toMatchObject({ objects: OBJECTS, damage: [] });
  }, 300_000);
});
