/** Data of the first format: the store reads it, takes it over, and closes it to the versions that wrote it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Connection, READ } from '../../../../../runtime/storage/etcd/connection.js';
import { type OpenEtcdStoreOptions, openEtcdStore } from '../../../../../runtime/storage/etcd/index.js';
import { Layout } from '../../../../../runtime/storage/etcd/layout.js';
import { MOD, type RequestOp, range, txn } from '../../../../../runtime/storage/etcd/messages.js';
import { type EtcdCluster, etcdOrWhyNot, hasEtcd, startEtcd } from '../../../../support/etcd.js';
import { commit, contentOf, encoded, listed, readAttributes, watching } from '../../../../support/store-objects.js';

describe.runIf(hasEtcd)(`data of an earlier version in ${etcdOrWhyNot}`, () => {
  let etcd: EtcdCluster;
  let connection: Connection;
  let prefixes = 0;
  beforeAll(async () => {
    etcd = await startEtcd();
    connection = new Connection({ endpoints: etcd.endpoints });
  });
  afterAll(async () => {
    connection.close();
    await etcd.dispose();
  });

  const make = async (...success: RequestOp[]): Promise<number> =>
    (await connection.ask(txn, { compare: [], success }, READ)).header?.revision ?? 0;
  const textAt = async (key: Buffer) => (await connection.ask(range, { key }, READ)).kvs?.[0]?.value?.toString();

  /**
   * Writes like earlier versions: one revision of etcd for each change, plus a number that a restore may have added.
   */
  async function written(shift?: number) {
    const prefix = `/first/${++prefixes}/`;
    const layout = new Layout(prefix);
    if (shift !== undefined) {
      await make({ requestPut: { key: layout.restore, value: Buffer.from(`{"shift":${shift},"unfinished":false}`) } });
    }
    const head = { requestPut: { key: layout.head } };
    const put = (name: string) =>
      make(head, { requestPut: { key: layout.object(`g/things/${name}`), value: Buffer.from(encoded(name).text) } });
    const revisions = [await put('a'), await put('b')].map((revision) => revision + (shift ?? 0));
    await make(
      { requestPut: { key: layout.head, value: Buffer.from(encoded('last').text) } },
      { requestDeleteRange: { key: layout.object('g/things/c') } },
    );
    const mark = Buffer.from(JSON.stringify([[Date.now(), revisions[0]]]));
    await make({ requestPut: { key: layout.firstMarks, value: mark } });
    const open = (options: Partial<OpenEtcdStoreOptions> = {}) =>
      openEtcdStore({ endpoints: etcd.endpoints, prefix, readAttributes, compaction: false, ...options });
    return { layout, open, revisions };
  }

  for (const shift of [undefined, 0, 3_000_000_000]) {
    it(`is read, and continues with higher revisions, if ${shift ?? 'nothing'} was added to revisions`, async () => {
      const { layout, open, revisions } = await written(shift);
      const newest = Math.max(...revisions);
      const store = await open();
      const { entries } = listed(store, '');
      expect(entries.map(contentOf)).toEqual(['a', 'b']);
      for (const { revision } of entries) expect(revision).toBeGreaterThan(newest);
      expect(entries[1]?.revision).toBeGreaterThan(entries[0]?.revision ?? 0);
      expect(store.watch('', newest, { event() {}, ended() {} })).toBe('compacted');
      expect(store.list('', { at: newest })).toBe('compacted');
      expect(await store.reached(newest, 0)).toBe(true);
      expect(await store.commit({ key: 'g/things/a', expected: revisions[0] ?? 0, next: encoded('late') })).toEqual({
        outcome: 'conflict',
        current: entries[0],
      });
      const watch = watching(store, '', store.revision);
      const changed = await commit(store, 'g/things/a', entries[0]?.revision ?? 0, 'changed');
      await Promise.all([commit(store, 'g/things/a', changed.revision), commit(store, 'g/things/d', 0, 'd')]);
      expect(watch.summary).toEqual([
        'MODIFIED g/things/a changed',
        'DELETED g/things/a changed',
        'ADDED g/things/d d',
      ]);
      expect(await textAt(layout.firstMarks)).toBeUndefined();
      await store.close();
      const again = await open();
      expect(listed(again, '').entries.map(contentOf)).toEqual(['b', 'd']);
      expect(again.revision).toBe(watch.events.at(-1)?.revision);
      await again.close();
    });
  }

  it('is closed to its earlier writers: their changes fail, and they find an unreadable mark', async () => {
    const { layout, open } = await written(5);
    const found = (await connection.ask(range, { key: layout.restore }, READ)).kvs?.[0]?.modRevision ?? 0;
    await (await open()).close();
    // Earlier versions know their state by this condition on each change, and by the name `shift`.
    const unchanged = { target: MOD, key: layout.restore, modRevision: found } as const;
    const change = await connection.ask(txn, { compare: [unchanged], success: [] }, READ);
    expect(change.succeeded).not.toBe(true);
    expect(await textAt(layout.restore)).toBe('{"format":2,"base":5,"unfinished":false}');
  });

  it('stays the same if it is only read', async () => {
    const { layout, open, revisions } = await written(7);
    const before = await textAt(layout.restore);
    const store = await open({ readOnly: true });
    expect(listed(store, '').entries.map(({ revision }) => revision)).toEqual(revisions);
    expect(await store.commit({ key: 'g/things/x', expected: 0, next: encoded('x') })).toMatchObject({
      outcome: 'failed',
      failure: { reason: 'ServiceUnavailable' },
    });
    await expect(store.restore([], 0)).rejects.toThrow('for reading only');
    await store.close();
    expect(await textAt(layout.restore)).toBe(before);
    expect(await textAt(layout.secret)).toBeUndefined();
  });

  it('is taken over once by servers that start together', async () => {
    const { open } = await written(9);
    const stores = await Promise.all([open(), open(), open()]);
    const [first] = stores;
    for (const store of stores) expect(await store.confirm()).toBeUndefined();
    const made = first && (await commit(first, 'g/things/new', 0, 'new'));
    for (const store of stores) {
      expect(await store.confirm()).toBeUndefined();
      expect(store.get('g/things/new')).toEqual(made);
      await store.close();
    }
  });

  it('of a newer version is refused, with the reason', async () => {
    const { layout, open } = await written();
    await make({ requestPut: { key: layout.restore, value: Buffer.from('{"format":3,"anything":true}') } });
    await expect(open()).rejects.toThrow(
      /restore in etcd says that a newer version has written the data, in format 3; this one reads formats up to 2/,
    );
  });

  it('with an interrupted restore stays unfinished', async () => {
    const { layout, open } = await written();
    const mark = '{"shift":4,"unfinished":true}';
    await make({ requestPut: { key: layout.restore, value: Buffer.from(mark) } });
    await expect(open()).rejects.toThrow('a restore into this store was interrupted');
    expect(await textAt(layout.restore)).toBe(mark);
    const replacing = await open({ onDamage: 'replace' });
    await replacing.restore([], 0);
    await replacing.close();
    expect(await textAt(layout.restore)).toBe('{"format":2,"base":4,"unfinished":false}');
  });
});
