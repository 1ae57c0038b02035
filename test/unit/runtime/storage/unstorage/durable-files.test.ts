/** Stored files are complete, and a failed write leaves nothing behind. */
import { existsSync, statSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createStorage, type Driver, prefixStorage, type Storage } from 'unstorage';
import fs from 'unstorage/drivers/fs';
import memory from 'unstorage/drivers/memory';
import { beforeEach, describe, expect, it } from 'vitest';
import { durableFiles } from '../../../../../runtime/storage/unstorage/durable-files.js';
import { unstorageBackend } from '../../../../../runtime/storage/unstorage/index.js';
import { itemsOf } from '../../../../../runtime/storage/unstorage/items.js';
import { readAll } from '../../../../support/backend-suite.js';
import { diskFull } from '../../../../support/faulty-backend.js';
import { testFolder } from '../../../../support/scratch-folder.js';

let folder: string;
beforeEach(() => {
  folder = testFolder();
});

const modeOf = (path: string): number => statSync(path).mode & 0o777;
const over = (driver: Driver): Storage => createStorage({ driver });
const filesOver = (storage: Storage, base = 'kindforge') => durableFiles(itemsOf(storage, base), storage, base);

describe('items in files', () => {
  it('are put into their place when they are complete', async () => {
    const seen: string[] = [];
    const inner = fs({ base: folder });
    const items = await filesOver(
      over({
        ...inner,
        async setItemRaw(key, value, options) {
          await inner.setItemRaw?.(key, value, options);
          seen.push(...(await readdir(join(folder, 'kindforge'))));
        },
      }),
    );
    await items?.put('segments:a', Buffer.from('one'));
    expect(seen).toEqual(['parts', 'parts']);
    await items?.put('segments:a', Buffer.from('two'), 'fleeting');
    expect(await readFile(join(folder, 'kindforge/segments/a'), 'utf8')).toBe('two');
    expect(await readdir(join(folder, 'kindforge/parts'))).toEqual([]);
  });

  it('keep the old value, and nothing else, if they cannot be stored', async () => {
    const inner = fs({ base: folder });
    let isFull = false;
    const items = await filesOver(
      over({
        ...inner,
        async setItemRaw(key, value, options) {
          await inner.setItemRaw?.(key, isFull ? Buffer.from(value).subarray(0, 1) : value, options);
          if (isFull) throw diskFull();
        },
      }),
    );
    await items?.put('segments:a', Buffer.from('one'));
    isFull = true;
    await expect(items?.put('segments:a', Buffer.from('two'))).rejects.toThrow('no space left on the device');
    expect(await readFile(join(folder, 'kindforge/segments/a'), 'utf8')).toBe('one');
    expect(await readdir(join(folder, 'kindforge/parts'))).toEqual([]);
  });

  it('are for their owner only, whatever the umask and whoever made them', async () => {
    const before = process.umask(0);
    try {
      await mkdir(join(folder, 'kindforge/segments'), { recursive: true });
      await writeFile(join(folder, 'kindforge/segments/old'), 'old');
      const during: number[] = [];
      const inner = fs({ base: folder });
      const items = await filesOver(
        over({
          ...inner,
          async setItemRaw(key, value, options) {
            await inner.setItemRaw?.(key, value, options);
            during.push(modeOf(join(folder, key.replaceAll(':', '/'))));
          },
        }),
      );
      await items?.put('segments:a', Buffer.from('one'));
      await items?.put('records:b', Buffer.from('two'), 'fleeting');
      expect(during.slice(1)).toEqual([0o600, 0o600]);
      const files = ['segments/old', 'segments/a', 'records/b'];
      expect(files.map((file) => modeOf(join(folder, 'kindforge', file)))).toEqual([0o600, 0o600, 0o600]);
      expect(modeOf(join(folder, 'kindforge/records'))).toBe(0o700);
    } finally {
      process.umask(before);
    }
  });

  it("are found at the driver's mount point", async () => {
    const storage = createStorage().mount('kindforge', fs({ base: join(folder, 'm') }));
    await (await filesOver(storage))?.put('segments:a', Buffer.from('x'));
    expect(existsSync(join(folder, 'm/segments/a'))).toBe(true);
    const deep = createStorage().mount('a', fs({ base: join(folder, 'n') }));
    await (await filesOver(deep, 'a:b'))?.put('owner', Buffer.from('x'));
    expect(existsSync(join(folder, 'n/b/owner'))).toBe(true);
  });

  it('are left to the driver if they are elsewhere, or not files', async () => {
    expect(await filesOver(prefixStorage(over(fs({ base: folder })), 'p'))).toBeUndefined();
    expect(await filesOver(over(memory()))).toBeUndefined();
  });

  it('survive a loss of power, and the backend reports this', async () => {
    const backend = unstorageBackend(fs({ base: folder }), { timing: { settleMs: 1 } });
    await readAll(backend);
    expect(backend.durability).toBe('power-loss');
    await backend.close();
    const prefixed = unstorageBackend(prefixStorage(over(fs({ base: folder })), 'p'), { timing: { settleMs: 1 } });
    await readAll(prefixed);
    expect(prefixed.durability).toBe('process');
    await prefixed.close();
  });
});
