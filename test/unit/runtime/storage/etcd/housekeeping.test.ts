/** Compaction: one of all servers does it, and it keeps the history window. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../../../../../runtime/contract/index.js';
import { Connection, READ } from '../../../../../runtime/storage/etcd/connection.js';
import { Housekeeping, historyStart } from '../../../../../runtime/storage/etcd/housekeeping.js';
import { openEtcdStore } from '../../../../../runtime/storage/etcd/index.js';
import { Layout } from '../../../../../runtime/storage/etcd/layout.js';
import { compact, range } from '../../../../../runtime/storage/etcd/messages.js';
import { Numbering } from '../../../../../runtime/storage/etcd/numbering.js';
import { Housekeeper, type HousekeeperOptions } from '../../../../../runtime/storage/shared/housekeeper.js';
import { type EtcdCluster, etcdOrWhyNot, hasEtcd, startEtcd, wireTo } from '../../../../support/etcd.js';
import { until } from '../../../../support/eventually.js';
import { commit, contentOf, listed, readAttributes, watching } from '../../../../support/store-objects.js';

describe.runIf(hasEtcd)(`compaction of ${etcdOrWhyNot}`, () => {
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

  const keeperOf = (layout: Layout, options: HousekeeperOptions) =>
    new Housekeeper(new Housekeeping(connection, layout), options);

  /** Stores that were never restored count from here. */
  const numbering = new Numbering(0);
  const isKept = (layout: Layout, revision: number) =>
    connection.ask(range, { key: layout.head, revision: numbering.toEtcd(revision) }, READ).then(
      () => true,
      () => false,
    );

  it('has one leader at a time, and another when that one ends or becomes silent', async () => {
    const layout = new Layout(`/led/${++prefixes}/`);
    const options = { windowMs: 60_000, leaseSeconds: 2 };
    const first = keeperOf(layout, options);
    await until(() => first.isLeader);
    const second = keeperOf(layout, options);
    await sleep(1_500);
    expect([first.isLeader, second.isLeader]).toEqual([true, false]);
    await first.close();
    await until(() => second.isLeader);
    await second.close();
  });

  it('keeps the window and forgets older revisions, while the store continues', async () => {
    const prefix = `/window/${++prefixes}/`;
    const layout = new Layout(prefix);
    const options = { endpoints: etcd.endpoints, prefix, readAttributes, historyWindowMs: 1_000, leaseSeconds: 2 };
    const stores = [await openEtcdStore(options), await openEtcdStore(options)];
    const [a, b] = stores;
    if (!a || !b) throw new Error('two stores were opened');
    const watch = watching(b, '', b.revision);
    const first = await commit(a, 'g/things/a', 0, 'one');
    // Several marks are made meanwhile, but none is old enough.
    await sleep(700);
    expect(await isKept(layout, first.revision)).toBe(true);
    const second = await commit(a, 'g/things/a', first.revision, 'two');
    expect(await isKept(layout, second.revision)).toBe(true);
    await until(async () => !(await isKept(layout, second.revision - 1)));
    const third = await commit(a, 'g/things/a', second.revision, 'three');
    await b.confirm();
    expect(watch.events.map(({ revision }) => revision)).toEqual([first.revision, second.revision, third.revision]);
    expect(watch.end).toBeUndefined();
    await Promise.all(stores.map((store) => store.close()));
  });

  it('leaves history to a store that opens again', async () => {
    const prefix = `/again/${++prefixes}/`;
    const layout = new Layout(prefix);
    const options = { endpoints: etcd.endpoints, prefix, readAttributes };
    const keeper = keeperOf(layout, { windowMs: 5 * 60_000 });
    await until(async () => (await historyStart(connection, layout, 5 * 60_000)) !== undefined);
    const before = await openEtcdStore(options);
    const first = await commit(before, 'g/things/a', 0, 'one');
    const second = await commit(before, 'g/things/a', first.revision, 'two');
    const gone = await before.commit({ key: 'g/things/a', expected: second.revision });
    expect(gone.outcome).toBe('committed');
    const seen = watching(before, '', first.revision);
    await before.close();
    const after = await openEtcdStore(options);
    expect(watching(after, '', first.revision).events).toEqual(seen.events);
    expect(listed(after, '', { at: first.revision }).entries.map(contentOf)).toEqual(['one']);
    expect(after.list('', { at: 1 })).toBe('compacted');
    await after.close();
    await keeper.close();
  });

  /** Opens a store, and cuts it off while another one writes and etcd compacts everything. */
  async function missing(write: (writer: Store) => Promise<unknown>) {
    const prefix = `/lost/${++prefixes}/`;
    const wire = await wireTo(etcd.endpoints[0] ?? '');
    const options = { prefix, readAttributes, compaction: false };
    const writer = await openEtcdStore({ ...options, endpoints: etcd.endpoints });
    const reader = await openEtcdStore({ ...options, endpoints: [wire.endpoint] });
    const close = () => Promise.all([writer.close(), reader.close(), wire.close()]);
    const before = await commit(writer, 'g/things/a', 0, 'one');
    const dropped = await commit(writer, 'g/things/b', 0, 'dropped');
    await reader.confirm();
    const watch = watching(reader, '', reader.revision);
    wire.cut();
    await until(() => reader.health() !== '');
    await write(writer);
    await writer.confirm();
    await connection.ask(
      compact,
      { revision: numbering.toEtcd(writer.revision) },
      { withinMs: 4_000, repeatable: true },
    );
    wire.mend();
    await until(() => reader.health() === '');
    expect(await reader.confirm()).toBeUndefined();
    return { reader, writer, watch, before, dropped, close };
  }

  it('by another program, further than a store has read, ends its watches and makes it load everything again', async () => {
    const { reader, writer, watch, before, close } = await missing(async (store) => {
      const { revision = 0 } = store.get('g/things/a') ?? {};
      await commit(store, 'g/things/a', revision, 'two');
      await commit(store, 'g/things/b', store.get('g/things/b')?.revision ?? 0);
    });
    expect(watch.end).toBe('compacted');
    expect(watch.events).toEqual([]);
    expect(listed(reader, '').entries).toEqual(listed(writer, '').entries);
    expect(listed(reader, '').entries.map(contentOf)).toEqual(['two']);
    expect(reader.list('', { at: before.revision })).toBe('compacted');
    const later = watching(reader, '', reader.revision);
    await commit(writer, 'g/things/c', 0, 'three');
    await reader.confirm();
    expect(later.summary).toEqual(['ADDED g/things/c three']);
    await close();
  });

  it('of other keys does not affect a store', async () => {
    const { reader, writer, watch, before, close } = await missing(async () => {
      const stranger = await openEtcdStore({
        endpoints: etcd.endpoints,
        prefix: '/stranger/',
        readAttributes,
        compaction: false,
      });
      for (let index = 0; index < 5; index++) await commit(stranger, `g/things/${index}`, 0, 'x');
      await stranger.close();
    });
    expect(watch.end).toBeUndefined();
    expect(listed(reader, '', { at: before.revision }).entries.map(contentOf)).toEqual(['one']);
    await commit(writer, 'g/things/c', 0, 'three');
    await reader.confirm();
    expect(watch.summary).toEqual(['ADDED g/things/c three']);
    await close();
  });
});
