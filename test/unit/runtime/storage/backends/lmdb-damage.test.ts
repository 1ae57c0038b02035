/** Random damage to the files of an LMDB folder: a start ends with a message, or serves exactly the stored state. */
import { existsSync } from 'node:fs';
import { chmod, cp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DamagedFileError, lmdbBackend, openStore } from '../../../../../runtime/storage/index.js';
import { type Child, startChild } from '../../../../support/child.js';
import { damageFile, type Random, randomFrom } from '../../../../support/damage.js';
import { effort } from '../../../../support/effort.js';
import { type Held, openAndTell, type Refused } from '../../../../support/opening-child.js';
import { scratchFolder, testFolder } from '../../../../support/scratch-folder.js';
import { commit, encoded, readAttributes } from '../../../../support/store-objects.js';

const pageBytes = 16 * 1024;
const rounds = effort('KINDFORGE_DAMAGE_ROUNDS', 100, 3_000);
const seed = Number(process.env.KINDFORGE_SEED ?? 20_231);

/** Changes objects of all sizes, while the journal is cleaned and history is forgotten. */
async function work(directory: string, random: Random): Promise<void> {
  const backend = lmdbBackend(directory, { slackBytes: 50_000 });
  const store = await openStore({ backend, readAttributes, historyMaxBytes: 30_000 });
  for (let round = 0; round < 150; round++) {
    const keys = new Set(Array.from({ length: 3 }, () => `g/things/${Math.floor(random() * 60)}`));
    await Promise.all(
      Array.from(keys, (key) => {
        const expected = store.get(key)?.revision ?? 0;
        const size = random() < 0.1 ? 30_000 : random() < 0.3 ? 6_000 : random() * 200;
        const next = expected > 0 && random() < 0.3 ? {} : { next: encoded('x'.repeat(size)) };
        return store.commit({ key, expected, ...next });
      }),
    );
  }
  await store.close();
}

describe(`a damaged LMDB file (KINDFORGE_SEED=${seed})`, () => {
  const whole = scratchFolder();
  const damaged = scratchFolder();
  let child: Child | undefined;
  let before: Refused | Held;
  beforeAll(async () => {
    await work(whole, randomFrom(seed));
    // The first line adds an object itself.
    await openAndTell(whole);
    before = await openAndTell(whole);
    child = startChild('./opening-child.ts', []);
    expect(await child.message()).toBe('ready');
  });
  afterAll(() => child?.kill());

  it(`is refused with a message, or serves the stored state: ${rounds} times`, async () => {
    expect(before).toHaveProperty('held');
    let refusals = 0;
    for (let round = 0; round < rounds; round++) {
      await rm(damaged, { recursive: true, force: true });
      await cp(whole, damaged, { recursive: true });
      const random = randomFrom(seed + round);
      const file = random() < 0.05 ? 'lock.mdb' : 'data.mdb';
      const how = `KINDFORGE_SEED=${seed}, round ${round}: ${file}: ${damageFile(join(damaged, file), pageBytes, random)}`;
      const content = await readFile(join(damaged, 'data.mdb'));
      child?.process.send(damaged);
      // A process that a signal ended sends nothing, which is an error here.
      const told = await child?.message().catch((error) => ({ ended: String(error) }));
      if (isRefused(told)) {
        refusals++;
        expect(told, how).toMatchObject({ isDamage: true, refused: expect.stringMatching(/restore a snapshot/) });
        expect(told.refused, how).not.toMatch(/MDB_|Assertion|0x/);
        const isUnchanged = (await readFile(join(damaged, 'data.mdb'))).subarray(0, content.length).equals(content);
        if (told.refused.includes('data.mdb')) expect(isUnchanged, how).toBe(true);
      } else expect(told, how).toEqual(before);
    }
    expect(refusals).toBeGreaterThan(rounds / 10);
  }, 900_000);

  it('is refused with a message, or serves the stored state, if its last pages are zeros or missing', async () => {
    const content = await readFile(join(whole, 'data.mdb'));
    const pages = content.length / pageBytes;
    const step = Math.ceil((4 * pages) / rounds);
    const changes = {
      zeros: (from: number) => Buffer.concat([content.subarray(0, from), Buffer.alloc(content.length - from)]),
      'half a page of zeros': (from: number) => {
        const half = from + pageBytes / 2;
        return Buffer.concat([content.subarray(0, half), Buffer.alloc(content.length - half)]);
      },
      gone: (from: number) => content.subarray(0, from),
    };
    for (const [how, change] of Object.entries(changes)) {
      for (let left = pages - 1; left >= 0; left -= left > pages - 8 ? 1 : step) {
        await rm(damaged, { recursive: true, force: true });
        await cp(whole, damaged, { recursive: true });
        await writeFile(join(damaged, 'data.mdb'), change(left * pageBytes));
        child?.process.send(damaged);
        const told = await child?.message().catch((error) => ({ ended: String(error) }));
        const which = `${how} from page ${left} of ${pages}`;
        if (!isRefused(told)) expect(told, which).toEqual(before);
        else
          expect(told, which).toMatchObject({ isDamage: true, refused: expect.stringMatching(/restore a snapshot/) });
      }
    }
  });
});

const isRefused = (told: unknown): told is Refused => typeof told === 'object' && told !== null && 'refused' in told;

describe('a folder with a changed data file', () => {
  let directory: string;
  const open = () => openStore({ backend: lmdbBackend(directory), readAttributes });
  const data = () => join(directory, 'data.mdb');
  beforeEach(async () => {
    directory = testFolder();
    const store = await open();
    for (let index = 0; index < 40; index++) await commit(store, `g/things/${index}`, 0, 'x'.repeat(3000));
    await store.close();
  });

  it('is refused if the file is empty', async () => {
    await truncate(data(), 0);
    await expect(open()).rejects.toThrow(DamagedFileError);
    await expect(open()).rejects.toThrow(`${data()} is damaged: it is empty; move the folder away, and restore`);
    expect((await stat(data())).size).toBe(0);
  });

  it('is refused if the file is missing', async () => {
    await rm(data());
    await expect(open()).rejects.toThrow(`${data()} is gone, though there is ${join(directory, 'lock.mdb')}; `);
    expect(existsSync(data())).toBe(false);
  });

  it.each([0, 1])('is refused if meta page %i is zeros', async (page) => {
    const content = await readFile(data());
    content.fill(0, page * pageBytes, (page + 1) * pageBytes);
    await writeFile(data(), content);
    await expect(open()).rejects.toThrow(DamagedFileError);
  });

  it('opens if only the data was copied', async () => {
    await rm(join(directory, 'lock.mdb'));
    const store = await open();
    expect(store.count('')).toBe(40);
    await store.close();
  });
});

describe('the files of an LMDB folder', () => {
  let directory: string;
  const open = () => openStore({ backend: lmdbBackend(directory), readAttributes });
  const modes = async () =>
    Promise.all(
      (await readdir(directory)).sort().map(async (name) => {
        const { mode } = await stat(join(directory, name));
        return [name, (mode & 0o777).toString(8)];
      }),
    );
  beforeEach(() => {
    directory = testFolder();
  });

  const own = [
    ['data.mdb', '600'],
    ['lock.mdb', '600'],
    ['owner', '600'],
  ];

  it.each([0o755, 0o777])('can be read by their owner only in a folder of mode %o', async (mode) => {
    await chmod(directory, mode);
    const child = startChild('./store-child.ts', [directory], undefined, '000');
    expect(await child.message()).toEqual({ opened: 0 });
    expect(await modes()).toEqual(own);
    await child.kill();
  });

  it('are closed to others if an earlier version has left them open', async () => {
    const store = await open();
    await store.close();
    for (const name of await readdir(directory)) await chmod(join(directory, name), 0o664);
    const again = await open();
    expect(await modes()).toEqual(own);
    await again.close();
  });
});
