/** The backend over LMDB: its folder, its lock, damage on disk, and a full disk. */
import { spawnSync } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, open, readFile, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open as openLmdb } from 'lmdb';
import { beforeEach, describe, expect, it } from 'vitest';
import { DamagedStoreError, DataInUseError, lmdbBackend, openStore } from '../../../../../runtime/storage/index.js';
import { checkpointAt, readAll, record, testBackend } from '../../../../support/backend-suite.js';
import { bundled } from '../../../../support/bundled.js';
import { startChild } from '../../../../support/child.js';
import { testFolder } from '../../../../support/scratch-folder.js';
import { Observer } from '../../../../support/store-invariants.js';
import { commit, contentOf, encoded, keysOf, listed, readAttributes } from '../../../../support/store-objects.js';

testBackend('lmdb', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'kindforge-lmdb-'));
  return {
    create: () => lmdbBackend(directory),
    dispose: () => rm(directory, { recursive: true, force: true }),
  };
});

let directory: string;
beforeEach(() => {
  directory = testFolder();
});

type OnDamage = 'refuse' | 'serve-rest' | 'discard';
const opened = (onDamage: OnDamage = 'refuse') =>
  openStore({ backend: lmdbBackend(directory), readAttributes, onDamage });

/** Overwrites this text in the data file, in all places, because old pages may have it too. */
async function damage(text: string): Promise<void> {
  const path = join(directory, 'data.mdb');
  const content = await readFile(path);
  const file = await open(path, 'r+');
  for (let at = content.indexOf(text); at >= 0; at = content.indexOf(text, at + 1)) {
    await file.write(Buffer.from('#'), 0, 1, at);
  }
  await file.close();
}

describe('damage in an LMDB store', () => {
  async function damagedStore(): Promise<void> {
    const store = await opened();
    await commit(store, 'g/things/good', 0, 'fine');
    const first = await commit(store, 'g/things/bad', 0, 'first');
    await commit(store, 'g/things/bad', first.revision, 'the-victim');
    await commit(store, 'g/things/late', 0, 'fine, too');
    await store.close();
    await damage('"value":"the-victim"}}');
  }

  it('keeps the store from opening, with the key and the cure', async () => {
    await damagedStore();
    const refusal = await opened().catch((error) => error);
    expect(refusal).toBeInstanceOf(DamagedStoreError);
    expect(refusal.damage).toEqual([
      {
        key: 'g/things/bad',
        revision: 3,
        problem: 'its record of revision 3 fails its checksum',
        cure: 'write the object again, restore a snapshot, or discard the damaged data',
      },
    ]);
    expect(refusal.message).toContain('g/things/bad: its record of revision 3 fails its checksum');
    // The lock is free again.
    await expect(opened()).rejects.toBeInstanceOf(DamagedStoreError);
  });

  it('allows the rest to be served on request, without an older state in its place', async () => {
    await damagedStore();
    const store = await opened('serve-rest');
    expect(store.damage).toMatchObject([{ key: 'g/things/bad' }]);
    expect(keysOf(listed(store, ''))).toEqual(['g/things/good', 'g/things/late']);
    expect(store.revision).toBe(4);
    expect(store.oldestRevision).toBe(4);
    expect((await commit(store, 'g/things/new', 0, 'x')).revision).toBe(5);
    await store.close();
    await expect(opened()).rejects.toBeInstanceOf(DamagedStoreError);
  });

  it('is repaired by writing the object again', async () => {
    await damagedStore();
    const store = await opened('serve-rest');
    await commit(store, 'g/things/bad', 0, 'again');
    const observer = new Observer(store);
    await store.close();
    const again = await opened();
    expect(again.damage).toEqual([]);
    expect(contentOf(again.get('g/things/bad'))).toBe('again');
    expect(listed(again, '').entries).toHaveLength(3);
    observer.check();
    await again.close();
  });

  it('is gone for good once it was discarded', async () => {
    await damagedStore();
    const store = await opened('discard');
    expect(store.damage).toHaveLength(1);
    await commit(store, 'g/things/new', 0, 'x');
    await store.close();
    const again = await opened();
    expect(keysOf(listed(again, ''))).toEqual(['g/things/good', 'g/things/late', 'g/things/new']);
    await again.close();
  });

  it('is found in valid records that do not contain an object', async () => {
    const backend = lmdbBackend(directory);
    await readAll(backend);
    await backend.commit([record('g/things/a', 1, '[1]'), record('g/things/b', 2, 'nonsense')], checkpointAt(2), []);
    await backend.close();
    const refusal = await opened().catch((error) => error);
    expect(refusal.damage.map(({ key }: { key: string }) => key).sort()).toEqual(['g/things/a', 'g/things/b']);
  });

  it('is found when records do not match the checkpoint', async () => {
    const backend = lmdbBackend(directory);
    await readAll(backend);
    await backend.commit([record('g/things/a', 1, '{}')], { ...checkpointAt(1), digest: 12345 }, []);
    await backend.close();
    const refusal = await opened().catch((error) => error);
    expect(refusal.damage).toMatchObject([{ key: '', problem: expect.stringContaining('do not match') }]);
  });
});

describe('a folder for LMDB', () => {
  it('is refused when it holds other data', async () => {
    const foreign = openLmdb({ path: directory, noSubdir: false });
    await foreign.put('some', 'thing');
    await foreign.close();
    await expect(opened()).rejects.toThrow('holds data that this version cannot read');
  });

  it('is refused when the file is not a database', async () => {
    await appendFile(join(directory, 'data.mdb'), 'x'.repeat(10_000));
    await expect(opened()).rejects.toThrow('data.mdb is not a database; move it away, or restore a snapshot');
  });

  it.each([0.9, 0.5, 0.1])('reports the damage when %f of the file is left', async (share) => {
    const store = await opened();
    for (let index = 0; index < 50; index++) await commit(store, `g/things/${index}`, 0, 'x'.repeat(5000));
    await store.close();
    const path = join(directory, 'data.mdb');
    await truncate(path, Math.floor((await stat(path)).size * share));
    // The tree may be whole or not; in both cases there is a message, and no crash.
    await expect(opened()).rejects.toThrow(/damaged/);
  });

  it('may be deep and have a dot in its name', async () => {
    directory = join(directory, 'a', 'b.c');
    const store = await opened();
    await commit(store, 'g/things/a', 0, 'x');
    await store.close();
    expect((await stat(join(directory, 'data.mdb'))).isFile()).toBe(true);
  });

  it('does not grow much under updates', async () => {
    const store = await openStore({ backend: lmdbBackend(directory), readAttributes, historyMaxBytes: 100_000 });
    for (let round = 0; round < 60; round++) {
      await Promise.all(
        Array.from({ length: 50 }, (_, index) => {
          const key = `g/things/${index}`;
          const expected = store.get(key)?.revision ?? 0;
          return store.commit({ key, expected, next: encoded(`${round}`.padEnd(10_000, 'x')) });
        }),
      );
    }
    // 60 MB were written, for 1 MB of objects.
    expect((await stat(join(directory, 'data.mdb'))).size).toBeLessThan(20_000_000);
    await store.close();
    const again = await opened();
    expect(again.count('')).toBe(50);
    await again.close();
  });
});

describe('the secret of an LMDB folder', () => {
  it('is made with it, and belongs to it only', async () => {
    const store = await opened();
    const { secret } = store;
    await store.close();
    expect(secret).toHaveLength(32);
    const again = await opened();
    expect(again.secret).toEqual(secret);
    await again.close();
    directory = testFolder();
    const other = await opened();
    expect(other.secret).not.toEqual(secret);
    await other.close();
  });
});

describe('the lock of an LMDB folder', () => {
  it('keeps a second store of the same process out, and the first one continues', async () => {
    const store = await opened();
    const refusal = await opened().catch((error) => error);
    expect(refusal).toBeInstanceOf(DataInUseError);
    expect(refusal.message).toContain(`is in use by process ${process.pid}`);
    await commit(store, 'g/things/a', 0, 'x');
    await store.close();
    const again = await opened();
    expect(again.count('')).toBe(1);
    await again.close();
  });

  it('names another process that holds it, and is free when that was killed', async () => {
    const child = startChild('./store-child.ts', [directory]);
    expect(await child.message()).toEqual({ opened: 0 });
    await expect(opened()).rejects.toThrow(`is in use by process ${child.process.pid}`);
    await child.kill();
    const store = await opened();
    const second = startChild('./store-child.ts', [directory]);
    expect(await second.message()).toMatchObject({ error: expect.stringContaining(`process ${process.pid}`) });
    await second.ended();
    await store.close();
  });

  it('stops the writes of an owner that was believed dead', async () => {
    const store = await opened();
    const entry = await commit(store, 'g/things/a', 0, 'x');
    const thief = openLmdb<Buffer, Buffer>({
      path: directory,
      noSubdir: false,
      keyEncoding: 'binary',
      encoding: 'binary',
      useVersions: true,
    });
    expect(store.health()).toBe('');
    await thief.put(Buffer.from('owner'), Buffer.from('{}'), 99);
    expect(store.health()).toBe(`${directory} has been taken over by another process`);
    const answer = await store.commit({ key: 'g/things/a', expected: entry.revision, next: encoded('y') });
    expect(answer).toMatchObject({ outcome: 'failed', failure: { message: expect.stringContaining('taken over') } });
    expect(contentOf(store.get('g/things/a'))).toBe('x');
    await thief.close();
    await store.close();
  });
});

/** Shows the system calls of a process. It may be missing, or not allowed. */
const canTrace = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;

describe.runIf(canTrace)(`a commit${canTrace ? '' : ' (skipped: strace is not installed)'}`, () => {
  it('waits for the disk', async () => {
    const log = join(directory, 'trace');
    const command = [process.execPath, bundled('test/support/store-child.ts'), join(directory, 'data'), 'commit', '50'];
    spawnSync('strace', ['-f', '-e', 'trace=fsync,fdatasync,msync', '-o', log, ...command]);
    const synced = (await readFile(log, 'utf8')).match(/(fsync|fdatasync|msync)\(/g) ?? [];
    expect(synced.length).toBeGreaterThanOrEqual(50);
  });
});

describe('a full disk', () => {
  it('fails the change with a clear message, and the store continues', async () => {
    // A limit on the size of files simulates it: the write fails at the same point.
    const child = startChild('./store-child.ts', [directory, 'fill'], 2000);
    const full = await child.message();
    expect(full).toMatchObject({ message: expect.stringMatching(/^the change could not be stored: .*data\.mdb: /) });
    const { stored, listed: count, revision } = Object(full);
    expect(stored).toBeGreaterThan(20);
    expect({ count, revision }).toEqual({ count: stored, revision: stored });
    await child.message();
    await child.ended();
    const store = await opened();
    expect(store.count('')).toBeGreaterThanOrEqual(stored - 1);
    await mkdir(join(directory, 'unrelated'));
    await store.close();
  });
});
