/** Transactions of every size in a real etcd: each change has its own revision, the same on every server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Change, Revision, Store } from '../../../../../runtime/contract/index.js';
import { Connection } from '../../../../../runtime/storage/etcd/connection.js';
import { Housekeeping, historyStart } from '../../../../../runtime/storage/etcd/housekeeping.js';
import { openEtcdStore } from '../../../../../runtime/storage/etcd/index.js';
import { Layout } from '../../../../../runtime/storage/etcd/layout.js';
import { Numbering } from '../../../../../runtime/storage/etcd/numbering.js';
import { Housekeeper } from '../../../../../runtime/storage/shared/housekeeper.js';
import { type EtcdCluster, etcdOrWhyNot, hasEtcd, startEtcd } from '../../../../support/etcd.js';
import {
  commit,
  contentOf,
  encoded,
  listed,
  readAttributes,
  textOf,
  watching,
} from '../../../../support/store-objects.js';

const numbering = new Numbering(0);
const key = (index: number) => `g/things/${String(index).padStart(3, '0')}`;

describe.runIf(hasEtcd)(`transactions of many changes in ${etcdOrWhyNot}`, () => {
  let etcd: EtcdCluster;
  let prefixes = 0;
  beforeAll(async () => {
    etcd = await startEtcd();
  });
  afterAll(() => etcd.dispose());

  const newPrefix = () => `/groups/${++prefixes}/`;
  const open = (prefix: string) =>
    openEtcdStore({ endpoints: etcd.endpoints, prefix, readAttributes, compaction: false });

  /** Makes creations, updates and deletions in one transaction. Every fifth of them loses. */
  async function changeAll(store: Store, size: number, round: number) {
    const changes = Array.from({ length: size }, (_, index): Change => {
      const current = store.get(key(index))?.revision ?? 0;
      // Only etcd knows that these lose: a creation of a key that exists, or a change of one that does not.
      const expected = index % 5 === 4 ? (current > 0 ? 0 : store.oldestRevision) : current;
      const kind = (index + round) % 3;
      if (kind === 0 && current > 0) {
        return { key: key(index), expected, ...(index % 2 ? { last: encoded(`last ${round} ${index}`) } : {}) };
      }
      return { key: key(index), expected, next: encoded(`${round} ${index}`) };
    });
    const answers = await Promise.all(changes.map((change) => store.commit(change)));
    return answers.flatMap((answer, index) => {
      expect(answer.outcome).toBe(index % 5 === 4 ? 'conflict' : 'committed');
      if (answer.outcome === 'conflict') expect(answer.current).toEqual(store.get(key(index)));
      return answer.outcome === 'committed' ? [answer.entry] : [];
    });
  }

  it('of each size up to 100 show every server the same, change by change', async () => {
    const prefix = newPrefix();
    const [a, b] = [await open(prefix), await open(prefix)];
    const start = a.revision;
    const [atA, atB] = [watching(a, '', start), watching(b, '', start)];
    for (let size = 1; size <= 100; size++) {
      const before = atA.events.length;
      const made = await changeAll(a, size, size);
      expect(atA.events.slice(before).map(({ entry }) => entry)).toEqual(made);
      const revisions = made.map(({ revision }) => revision);
      expect(revisions).toEqual([...new Set(revisions)].sort((one, other) => one - other));
      expect(new Set(revisions.map((revision) => numbering.toEtcd(revision))).size).toBe(1);
    }
    expect(await b.confirm()).toBeUndefined();
    expect(atB.events).toEqual(atA.events);
    const revisions = atA.events.map(({ revision }) => revision);
    expect(revisions).toEqual([...new Set(revisions)].sort((one, other) => one - other));
    expect(b.revision).toBe(a.revision);
    const c = await open(prefix);
    expect(listed(c, '')).toEqual({ ...listed(a, ''), repeated: false });
    await Promise.all([a, b, c].map((store) => store.close()));
  }, 120_000);

  it('share etcd’s revision, and can be watched and listed from each one in between', async () => {
    const prefix = newPrefix();
    const store = await open(prefix);
    for (let index = 0; index < 10; index++) await commit(store, key(index), 0, 'old');
    const made = await changeAll(store, 100, 3);
    expect(new Set(made.map(({ revision }) => numbering.toEtcd(revision))).size).toBe(1);
    const all = made.map(({ revision }) => revision);
    for (const [index, revision] of all.entries()) {
      expect(watching(store, '', revision).events.map((event) => event.revision)).toEqual(all.slice(index + 1));
      const exact = listed(store, '', { at: revision });
      const seen = new Map<string, string | undefined>(Array.from({ length: 10 }, (_, old) => [key(old), 'old']));
      for (const event of watching(store, '', (all[0] ?? 0) - 1).events.slice(0, index + 1)) {
        if (event.type === 'DELETED') seen.delete(event.entry.key);
        else seen.set(event.entry.key, contentOf(event.entry));
      }
      expect(new Map(exact.entries.map((entry) => [entry.key, contentOf(entry)]))).toEqual(seen);
    }
    await store.close();
  });

  it('are history for a server that opens later, even from within a transaction', async () => {
    const prefix = newPrefix();
    const connection = new Connection({ endpoints: etcd.endpoints });
    const layout = new Layout(prefix);
    const before = await open(prefix);
    const keeper = new Housekeeper(new Housekeeping(connection, layout), { windowMs: 5 * 60_000 });
    await expect.poll(() => historyStart(connection, layout, 5 * 60_000)).not.toBeUndefined();
    await changeAll(before, 20, 1);
    const made = await changeAll(before, 30, 2);
    const after = await open(prefix);
    expect(after.revision).toBe(before.revision);
    for (const { revision } of made) {
      expect(watching(after, '', revision).events).toEqual(watching(before, '', revision).events);
      const describeAll = (store: Store) => listed(store, '', { at: revision }).entries.map(textOf);
      expect(describeAll(after)).toEqual(describeAll(before));
    }
    await Promise.all([before.close(), after.close(), keeper.close()]);
    connection.close();
  });

  it('end the history of a server that has loaded at the end of the transaction', async () => {
    const prefix = newPrefix();
    const before = await open(prefix);
    const made = await changeAll(before, 30, 1);
    const after = await open(prefix);
    expect(after.oldestRevision).toBe(before.revision);
    const inside: Revision = made[10]?.revision ?? 0;
    expect(after.watch('', inside, { event() {}, ended() {} })).toBe('compacted');
    expect(after.list('', { at: inside })).toBe('compacted');
    await Promise.all([before.close(), after.close()]);
  });

  it('distinguish revisions by their position too', async () => {
    const store = await open(newPrefix());
    const [first, second] = await Promise.all([commit(store, key(1), 0, 'a'), commit(store, key(2), 0, 'b')]);
    expect(second.revision).toBe(first.revision + 1);
    for (const expected of [first.revision, second.revision + 1]) {
      expect(await store.commit({ key: key(2), expected, next: encoded('wrong') })).toEqual({
        outcome: 'conflict',
        current: second,
      });
    }
    expect((await store.commit({ key: key(2), expected: second.revision, next: encoded('c') })).outcome).toBe(
      'committed',
    );
    await store.close();
  });
});
