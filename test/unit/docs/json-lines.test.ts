/** The backend that docs/backends.md builds keeps the promises of every store, and of its own page. */
import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defineJsonLines } from '../../../examples/backends/json-lines.js';
import { type EmbeddedStore, type OpenStoreOptions, openStore } from '../../../runtime/storage/index.js';
import { testBackend } from '../../support/backend-suite.js';
import { testFolder } from '../../support/scratch-folder.js';
import { commit, contentOf, listed, readAttributes } from '../../support/store-objects.js';
import { testStore } from '../../support/store-suite.js';

testStore(
  'json-lines',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kindforge-jsonl-'));
    const backend = (): ReturnType<typeof defineJsonLines> => defineJsonLines(join(folder, 'store.jsonl'));
    return {
      open: (options) => openStore({ backend: backend(), readAttributes, ...options }),
      dispose: () => rm(folder, { recursive: true, force: true }),
    };
  },
  { persistent: true, durableHistory: true },
);

testBackend('json-lines', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kindforge-jsonl-'));
  return {
    create: () => defineJsonLines(join(folder, 'store.jsonl')),
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
});

describe('the file of json-lines', () => {
  let folder: string;
  let file: string;
  let store: EmbeddedStore | undefined;
  beforeEach(() => {
    folder = testFolder();
    file = join(folder, 'store.jsonl');
  });
  afterEach(async () => {
    await store?.close();
  });

  async function reopened(options: Partial<OpenStoreOptions> = {}): Promise<EmbeddedStore> {
    await store?.close();
    store = undefined;
    store = await openStore({ backend: defineJsonLines(file), readAttributes, ...options });
    return store;
  }
  const contents = (from: EmbeddedStore): (string | undefined)[] => listed(from, '').entries.map(contentOf);

  it('is used by one process at a time', async () => {
    await reopened();
    const second = openStore({ backend: defineJsonLines(file), readAttributes });
    await expect(second).rejects.toThrow(`in use by process ${process.pid}`);
  });

  it('is taken over from a process that is gone', async () => {
    writeFileSync(`${file}.lock`, '999999999');
    expect((await reopened()).revision).toBe(0);
  });

  it('may end in an incomplete line', async () => {
    await commit(await reopened(), 'g/things/a', 0, 'one');
    await store?.close();
    writeFileSync(file, `${readFileSync(file, 'utf8')}12345678 {"checkpoint`);
    const again = await reopened();
    expect(contents(again)).toEqual(['one']);
    await commit(again, 'g/things/b', 0, 'two');
    expect(contents(await reopened())).toEqual(['one', 'two']);
  });

  it('loses nothing by a write that broke off while the store continues', async () => {
    const first = await reopened();
    await commit(first, 'g/things/a', 0, 'one');
    // Simulates a commit that failed in its middle.
    appendFileSync(file, `12345678 ${'x'.repeat(10_000)}\n12345678`);
    await commit(first, 'g/things/b', 0, 'two');
    expect(contents(await reopened())).toEqual(['one', 'two']);
  });

  it('is refused when a line is damaged, served without it on request, and repaired on request', async () => {
    const first = await reopened();
    await commit(first, 'g/things/a', 0, 'one');
    await commit(first, 'g/things/b', 0, 'two');
    const before = first.revision;
    await first.close();
    store = undefined;
    writeFileSync(file, readFileSync(file, 'utf8').replace('two', 'tow'));
    await expect(reopened()).rejects.toThrow(`line 2 of ${file} fails its checksum`);

    const rest = await reopened({ onDamage: 'serve-rest' });
    expect(contents(rest)).toEqual(['one']);
    expect(rest.revision).toBeGreaterThan(before);
    await commit(rest, 'g/things/c', 0, 'three');
    await expect(reopened()).rejects.toThrow('line 2');

    const healed = await reopened({ onDamage: 'discard' });
    await commit(healed, 'g/things/d', 0, 'four');
    expect(contents(await reopened())).toEqual(['one', 'three', 'four']);
  });

  it('stays small however often an object is written', async () => {
    const value = 'x'.repeat(10_000);
    const first = await reopened({ historyWindowMs: 0 });
    let { revision } = await commit(first, 'g/things/a', 0, value);
    for (let i = 1; i < 1000; i++) ({ revision } = await commit(first, 'g/things/a', revision, `${value}${i}`));
    expect(statSync(file).size).toBeLessThan(5_000_000);
    expect(contents(await reopened())).toEqual([`${value}999`]);
  });
});
