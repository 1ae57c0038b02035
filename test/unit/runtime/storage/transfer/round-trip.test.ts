/** Objects go from store to store unchanged, through a file or directly. */
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { Entry, Store } from '../../../../../runtime/contract/index.js';
import { openEtcdStore } from '../../../../../runtime/storage/etcd/index.js';
import {
  copyState,
  lmdbBackend,
  memoryBackend,
  openStore,
  restoreSnapshot,
  soundSnapshot,
  soundState,
  writeSnapshot,
} from '../../../../../runtime/storage/index.js';
import { etcdOrWhyNot, hasEtcd, startEtcd } from '../../../../support/etcd.js';
import { testFolder } from '../../../../support/scratch-folder.js';
import { commit, encoded, listed, readAttributes, textOf } from '../../../../support/store-objects.js';

/** The data of a store, which can be opened. */
interface Place {
  open(): Promise<Store>;
  /** Lets another store open the data. A store in memory stays open, because it holds the data. */
  leave(store: Store): Promise<void>;
}

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

const leave = (store: Store): Promise<void> => store.close();

async function memory(): Promise<Place> {
  const store = await openStore({ backend: memoryBackend(), readAttributes });
  return { open: async () => store, leave: async () => {} };
}

async function lmdb(): Promise<Place> {
  const path = testFolder();
  return { open: () => openStore({ backend: lmdbBackend(path), readAttributes }), leave };
}

async function etcd(): Promise<Place> {
  const { endpoints, dispose } = await startEtcd();
  cleanUps.push(dispose);
  return { open: () => openEtcdStore({ endpoints, readAttributes, compaction: false }), leave };
}

/** Returns the objects without the revisions, which are new. */
function described(store: Store): readonly string[] {
  return listed(store, '').entries.map((entry) => `${entry.key} ${neutral(entry)} ${JSON.stringify(entry.attributes)}`);
}

const neutral = (entry: Entry): string => {
  expect(JSON.parse(textOf(entry)).metadata.resourceVersion).toBe(String(entry.revision));
  return textOf(entry).replace(`"resourceVersion":"${entry.revision}"`, '"resourceVersion":""');
};

async function directly(source: Store, target: Store): Promise<void> {
  await copyState(soundState(source), target, { readAttributes });
}

async function throughFile(source: Store, target: Store): Promise<void> {
  const path = join(testFolder(), 'snapshot');
  await writeSnapshot(path, soundState(source));
  await restoreSnapshot(await soundSnapshot(path), target, { readAttributes });
}

/** Hands a state from place to place, leaves each and opens it again, and compares. */
async function pass([first, ...others]: readonly Place[], by: typeof directly): Promise<void> {
  let source = await first?.open();
  let place = first;
  if (!source) return;
  const before = described(source);
  for (const next of others) {
    const target = await next.open();
    const known = Math.max(source.revision, target.revision);
    await by(source, target);
    expect(described(target)).toEqual(before);
    expect(Math.min(...listed(target, '').entries.map(({ revision }) => revision))).toBeGreaterThan(known);
    expect(target.list('', { at: known })).toBe('compacted');
    await place?.leave(source);
    await next.leave(target);
    source = await next.open();
    place = next;
    expect(described(source)).toEqual(before);
  }
  await source.close();
}

const revisionOf = (store: Store, key: string): number => store.get(key)?.revision ?? 0;

async function filled(place: Place): Promise<Place> {
  const store = await place.open();
  const indexes = Array.from({ length: 200 }, (_, index) => index);
  await Promise.all(indexes.map((index) => commit(store, `g/things/n/${index}`, 0, `"ü𝄞\\ ${index}`)));
  for (let index = 0; index < 200; index += 20) {
    const { revision } = await commit(store, `g/things/n/${index}`, revisionOf(store, `g/things/n/${index}`), 'x');
    if (index % 40 === 0) await commit(store, `g/things/n/${index}`, revision);
  }
  await place.leave(store);
  return place;
}

describe.each([
  ['directly', directly],
  ['through a file', throughFile],
])('a state that goes %s', (_name, by) => {
  it('from memory to memory is the same', async () => {
    await pass([await filled(await memory()), await memory()], by);
  });

  it('from lmdb to lmdb is the same', async () => {
    await pass([await filled(await lmdb()), await lmdb(), await filled(await lmdb())], by);
  });

  it.runIf(hasEtcd)(`from lmdb to ${etcdOrWhyNot} and on to lmdb is the same`, async () => {
    await pass([await filled(await lmdb()), await etcd(), await lmdb()], by);
  });

  it('is not affected by later changes of its source', async () => {
    const [source, target] = [await (await memory()).open(), await (await memory()).open()];
    await commit(source, 'g/things/n/a', 0, 'in time');
    const path = join(testFolder(), 'snapshot');
    await writeSnapshot(path, soundState(source));
    const late = await commit(source, 'g/things/n/b', 0, 'too late');
    if (by === directly) await by(source, target);
    else await restoreSnapshot(await soundSnapshot(path), target);
    expect(target.list('', { at: late.revision + 1000 })).toBe('compacted');
    expect(target.watch('', late.revision, { event() {}, ended() {} })).toBe('compacted');
  });

  it('is the same for any objects', async () => {
    const name = fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }).map((text) => text.replaceAll('/', '|'));
    const keys = fc.tuple(fc.constantFrom('', 'g'), fc.constantFrom('a', 'b'), name).map((parts) => parts.join('/'));
    const content = fc.string({ unit: 'grapheme', maxLength: 200 });
    const steps = fc.array(fc.tuple(keys, fc.option(content, { nil: undefined })), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(steps, steps, async (ofSource, ofTarget) => {
        const [source, target] = [await memory(), await memory()];
        await change(await source.open(), ofSource);
        await change(await target.open(), ofTarget);
        await pass([source, target], by);
      }),
      { numRuns: 60 },
    );
  });
});

/** Writes the value of each key in turn, or deletes it. */
async function change(store: Store, steps: readonly (readonly [string, string | undefined])[]): Promise<void> {
  for (const [key, value] of steps) {
    const expected = revisionOf(store, key);
    if (value !== undefined || expected > 0) {
      await store.commit(value === undefined ? { key, expected } : { key, expected, next: encoded(value) });
    }
  }
}
