/** Workers over one owner: each sees the writes of all, and none serves an object that the owner cannot read. */
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Encryption } from '../../../../../runtime/storage/encryption/encryption.js';
import { aesgcm } from '../../../../../runtime/storage/encryption/transformers.js';
import { type EmbeddedStore, lmdbBackend, openStore, type SharedStore } from '../../../../../runtime/storage/index.js';
import { openWorkerStore } from '../../../../../runtime/storage/owner/open-worker-store.js';
import { type ServedStore, serveStore } from '../../../../../runtime/storage/owner/serve-store.js';
import { eventually } from '../../../../support/eventually.js';
import { testFolder } from '../../../../support/scratch-folder.js';
import { commit, contentOf, encoded, listed, readAttributes, watching } from '../../../../support/store-objects.js';

let folder: string;
let closing: (() => Promise<unknown>)[];
beforeEach(() => {
  folder = testFolder();
  closing = [];
});
afterEach(async () => {
  for (const close of closing.reverse()) await close();
});

const keyed = (name: string) => aesgcm({ name, secret: Buffer.alloc(32, name) });
const encryptedBy = (...names: readonly string[]) =>
  new Encryption([{ resources: ['*.g'], transformers: names.map(keyed) }]);

async function owner(
  encryption?: Encryption,
): Promise<{ readonly store: EmbeddedStore; readonly served: ServedStore }> {
  const backend = lmdbBackend(join(folder, 'data'));
  const store = await openStore({ backend, readAttributes, encryption, onDamage: 'serve-rest' });
  const served = await serveStore(store, join(folder, 'owner'));
  closing.push(
    () => store.close(),
    () => served.close(),
  );
  return { store, served };
}

async function worker(): Promise<SharedStore> {
  const store = await openWorkerStore(join(folder, 'owner'), { readAttributes, onDamage: 'serve-rest' });
  closing.push(() => store.close());
  return store;
}

it('lets each worker see the changes of all, once and in order', async () => {
  const { store } = await owner();
  const workers = [await worker(), await worker(), await worker()];
  const seen = workers.map((each) => watching(each, 'g/things/', each.revision));
  const counts = workers.map(async (each, index) => {
    for (let count = 0; count < 40; count++) await commit(each, `g/things/${index}-${count}`, 0, `${count}`);
  });
  await Promise.all([...counts, commit(store, 'g/things/of-the-owner', 0, 'x')]);
  for (const each of workers) expect(await each.confirm()).toBeUndefined();
  const revisions = seen.map(({ events }) => events.map(({ revision }) => revision));
  expect(revisions[0]).toHaveLength(121);
  expect(revisions[0]).toEqual([...new Set(revisions[0])].sort((a, b) => a - b));
  expect(revisions).toEqual([revisions[0], revisions[0], revisions[0]]);
  expect(listed(workers[2] ?? store, '').entries).toEqual(listed(store, '').entries);
});

it('decides races of workers for one object in the owner', async () => {
  await owner();
  const [one, other] = [await worker(), await worker()];
  const { revision } = await commit(one, 'g/things/a', 0, 'first');
  await other.confirm();
  const change = (value: string) => ({ key: 'g/things/a', expected: revision, next: encoded(value) });
  const outcomes = await Promise.all([one.commit(change('one')), other.commit(change('other'))]);
  expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['committed', 'conflict']);
  await Promise.all([one.confirm(), other.confirm()]);
  expect(contentOf(one.get('g/things/a'))).toBe(contentOf(other.get('g/things/a')));
});

it('continues after the owner has cut a worker off', async () => {
  const { store, served } = await owner();
  const one = await worker();
  const watch = watching(one, '', one.revision);
  await commit(one, 'g/things/a', 0, 'before');
  await served.close();
  await eventually(() => expect(one.health()).not.toBe(''));
  expect(await one.commit({ key: 'g/things/b', expected: 0, next: encoded('x') })).toMatchObject({ outcome: 'failed' });
  await commit(store, 'g/things/c', 0, 'meanwhile');
  const again = await serveStore(store, join(folder, 'owner'));
  closing.push(() => again.close());
  await eventually(async () => expect(await one.confirm()).toBeUndefined());
  expect(watch.summary).toEqual(['ADDED g/things/a before', 'ADDED g/things/c meanwhile']);
});

it('names and evicts objects that the owner cannot decrypt, and rewrites objects encrypted with an earlier key', async () => {
  const encryption = encryptedBy('a');
  const first = await owner(encryption);
  const one = await worker();
  await commit(one, 'g/things/a', 0, 'secret');
  encryption.replace([{ resources: ['*.g'], transformers: [keyed('b'), keyed('a')] }]);
  await eventually(() => expect(one.isStale?.(one.get('g/things/a') ?? { key: '', revision: 0 })).toBe(true));
  await commit(one, 'g/things/a', one.get('g/things/a')?.revision ?? 0, 'secret');
  expect(one.isStale?.(one.get('g/things/a') ?? { key: '', revision: 0 })).toBe(false);
  await one.close();
  await first.served.close();
  await first.store.close();
  await owner(encryptedBy('c'));
  const locked = await worker();
  expect(locked.damageAt?.('g/things/a')?.message).toContain('it is encrypted with key "b"');
  expect(await locked.evict?.('g/things/a')).toBeUndefined();
  expect(locked.damageAt?.('g/things/a')).toBeUndefined();
  await commit(locked, 'g/things/a', 0, 'again');
});
