import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { DamagedStoreError } from '../../../../runtime/storage/index.js';
import { openStorage } from '../../../../server/parts/open-storage.js';
import type { Storage } from '../../../../server/parts/storage-options.js';
import { readStorage } from '../../../../server/text/storage.js';
import { testFolder } from '../../../support/scratch-folder.js';
import { commit, readAttributes } from '../../../support/store-objects.js';

let folder: string;
beforeEach(async () => {
  folder = testFolder();
});

async function opened(text: string): Promise<Storage> {
  const setting = readStorage(`unstorage:${text}`);
  if (!setting.ok) throw new Error(setting.failure.message);
  return openStorage(setting.value, { onDamage: 'refuse', readAttributes });
}

describe('storage in an unstorage driver', () => {
  it('keeps objects', async () => {
    const first = await opened(`fs?base=${folder}/data`);
    expect(first.place).toBe('unstorage:fs');
    await commit(first.store, 'g/things/a', 0, 'x');
    await first.store.close();
    const second = await opened(`fs?base=${folder}/data`);
    expect(second.store.count('')).toBe(1);
    await second.store.close();
  });

  it('keeps the secret that seals page tokens', async () => {
    const first = await opened(`fs?base=${folder}/data`);
    const { secret } = first.store;
    await first.store.close();
    const second = await opened(`fs?base=${folder}/data`);
    expect(secret).toHaveLength(32);
    expect(second.store.secret).toEqual(secret);
    await second.store.close();
  });

  it('takes options from files', async () => {
    await writeFile(join(folder, 'place'), `${folder}/elsewhere\n`);
    const { store } = await opened(`fs?base-file=${folder}/place`);
    await store.close();
    expect(await readdir(join(folder, 'elsewhere'))).toEqual(['kindforge']);
    await expect(opened('fs?base-file=/nowhere/at/all')).rejects.toThrow(/^storage unstorage:fs: ENOENT/);
  });

  it('is refused without its options, with the name of the flag', async () => {
    await expect(opened('fs')).rejects.toThrow('storage unstorage:fs: [unstorage] [fs] Missing required option');
    await expect(opened('redis?url=redis://:secret@127.0.0.1:1&maxRetriesPerRequest=1')).rejects.toThrow(
      /^storage unstorage:redis: Redis cannot be reached: connect ECONNREFUSED 127.0.0.1:1$/,
    );
  });

  it('is refused while it is in use', async () => {
    const { store } = await opened(`fs?base=${folder}/data`);
    await expect(opened(`fs?base=${folder}/data`)).rejects.toThrow(
      `the data of unstorage:fs is in use by process ${process.pid}; stop that process, or choose another place for the data`,
    );
    await store.close();
  });

  it('is refused if it is damaged', async () => {
    const { store } = await opened(`fs?base=${folder}/data`);
    await commit(store, 'g/things/a', 0, 'x');
    await store.close();
    const [name = ''] = await readdir(join(folder, 'data/kindforge/segments'));
    await writeFile(join(folder, 'data/kindforge/segments', name), 'nonsense');
    await expect(opened(`fs?base=${folder}/data`)).rejects.toBeInstanceOf(DamagedStoreError);
  });
});
