/** Restoring a store while other servers use it: none of them may continue as before. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { RestoredObject, Store } from '../../../../../runtime/contract/index.js';
import { Connection, READ } from '../../../../../runtime/storage/etcd/connection.js';
import { openEtcdStore } from '../../../../../runtime/storage/etcd/index.js';
import { Layout } from '../../../../../runtime/storage/etcd/layout.js';
import { range, txn } from '../../../../../runtime/storage/etcd/messages.js';
import { type EtcdCluster, etcdOrWhyNot, hasEtcd, startEtcd } from '../../../../support/etcd.js';
import { commit, encoded, keysOf, listed, readAttributes, watching } from '../../../../support/store-objects.js';

const BEHIND = 4_000_000_000;

const objects = (...keys: string[]): RestoredObject[] => keys.map((key) => ({ key, object: encoded(`of ${key}`) }));

describe.runIf(hasEtcd)(`a restore in ${etcdOrWhyNot}`, () => {
  let etcd: EtcdCluster;
  let prefixes = 0;
  beforeAll(async () => {
    etcd = await startEtcd();
  });
  afterAll(() => etcd.dispose());

  /** Opens so many stores over the same prefix, and closes them after their use. */
  async function withStores(
    count: number,
    use: (stores: readonly Store[], open: () => Promise<Store>, prefix: string) => Promise<void>,
  ): Promise<void> {
    const prefix = `/restore/${++prefixes}/`;
    const stores: Store[] = [];
    const open = async (): Promise<Store> => {
      const store = await openEtcdStore({ endpoints: etcd.endpoints, prefix, readAttributes, compaction: false });
      stores.push(store);
      return store;
    };
    try {
      for (let index = 0; index < count; index++) await open();
      await use([...stores], open, prefix);
    } finally {
      for (const store of stores) await store.close();
    }
  }

  it('makes other servers refuse changes and confirmed reads until they are restarted', async () => {
    await withStores(2, async ([one, other], open) => {
      if (!one || !other) throw new Error('two stores were opened');
      const { revision } = await commit(other, 'g/things/a', 0, 'old');
      expect(await one.confirm()).toBeUndefined();
      const watch = watching(other, '', revision);
      const restored = await one.restore(objects('g/things/a', 'g/things/b'), BEHIND);
      for (const change of [
        { key: 'g/things/a', expected: revision, next: encoded('lost') },
        { key: 'g/things/new', expected: 0, next: encoded('lost') },
        { key: 'g/things/a', expected: revision },
      ]) {
        expect(await other.commit(change)).toMatchObject({
          outcome: 'failed',
          failure: { reason: 'ServiceUnavailable', message: expect.stringContaining('restart this server') },
        });
      }
      expect(await other.confirm()).toMatchObject({ reason: 'ServiceUnavailable' });
      expect(other.health()).toContain('restart this server');
      expect(watch.events).toEqual([]);
      expect(watch.end).toBe('compacted');
      const again = await open();
      expect(again.revision).toBeGreaterThanOrEqual(restored);
      expect(keysOf(listed(again, ''))).toEqual(['g/things/a', 'g/things/b']);
      const made = await commit(again, 'g/things/c', 0, 'new');
      expect(await one.reached(made.revision, 10_000)).toBe(true);
      expect(one.get('g/things/c')).toEqual(made);
    });
  });

  it('keeps changes of others out while it runs', async () => {
    await withStores(2, async ([one, other]) => {
      if (!one || !other) throw new Error('two stores were opened');
      async function* slowly(): AsyncGenerator<RestoredObject> {
        yield* objects('g/things/a');
        const answer = await other?.commit({ key: 'g/things/b', expected: 0, next: encoded('lost') });
        expect(answer).toMatchObject({ outcome: 'failed', failure: { reason: 'ServiceUnavailable' } });
        await sleep(50);
        yield* objects('g/things/c');
      }
      await one.restore(slowly(), 0);
      expect(keysOf(listed(one, ''))).toEqual(['g/things/a', 'g/things/c']);
    });
  });

  it('fails if another one has begun since', async () => {
    await withStores(2, async ([one, other]) => {
      await one?.restore(objects('g/things/a'), 0);
      await expect(other?.restore(objects('g/things/b'), 0)).rejects.toThrow(
        'another restore of the same store has begun',
      );
      expect(one && keysOf(listed(one, ''))).toEqual(['g/things/a']);
    });
  });

  it('continues after etcd was away for a moment', async () => {
    await withStores(1, async ([store]) => {
      if (!store) throw new Error('a store was opened');
      await commit(store, 'g/things/old', 0, 'old');
      const names = Array.from({ length: 250 }, (_, index) => `g/things/${String(index).padStart(4, '0')}`);
      async function* interrupted(): AsyncGenerator<RestoredObject> {
        yield* objects(...names.slice(0, 120));
        await etcd.members[0]?.kill();
        setTimeout(() => void etcd.members[0]?.restart(), 500);
        yield* objects(...names.slice(120));
      }
      await store.restore(interrupted(), BEHIND);
      const { entries } = listed(store, '');
      expect(entries.map(({ key }) => key)).toEqual(names);
      expect(new Set(entries.map(({ revision }) => revision)).size).toBe(names.length);
    });
  });

  it('hides earlier revisions from servers that start later, even if etcd still has them', async () => {
    const prefix = `/restore/${++prefixes}/`;
    // Keeps marks, so that a server that starts finds the beginning of its history.
    const open = () => openEtcdStore({ endpoints: etcd.endpoints, prefix, readAttributes, historyWindowMs: 60_000 });
    const connection = new Connection({ endpoints: etcd.endpoints });
    const store = await open();
    const { marks: key } = new Layout(prefix);
    while ((await connection.ask(range, { key }, READ)).kvs === undefined) await sleep(20);
    connection.close();
    const old = await commit(store, 'g/things/a', 0, 'old');
    await store.close();
    const before = await open();
    expect(before.oldestRevision).toBeLessThanOrEqual(old.revision);
    const restored = await before.restore(objects('g/things/a'), BEHIND);
    await before.close();
    const after = await open();
    expect(after.oldestRevision).toBeGreaterThan(old.revision);
    expect(after.list('', { at: old.revision })).toBe('compacted');
    expect(after.list('', { at: BEHIND })).toBe('compacted');
    expect(keysOf(listed(after, '', { at: restored }))).toEqual(['g/things/a']);
    await after.close();
  });

  it('does not open while the shift of revisions is unknown', async () => {
    await withStores(1, async ([store], open, prefix) => {
      await store?.restore(objects('g/things/a'), BEHIND);
      const connection = new Connection({ endpoints: etcd.endpoints });
      const { restore: key } = new Layout(prefix);
      onTestFinished(() => connection.close());
      expect((await connection.ask(range, { key }, READ)).kvs).toHaveLength(1);
      const success = [{ requestPut: { key, value: Buffer.from('{') } }];
      await connection.ask(txn, { compare: [], success }, READ);
      await expect(open()).rejects.toThrow('cannot be read, so revisions are not known');
    });
  });
});
