/** Several stores over one etcd, and their behaviour when etcd or a part of it fails. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { Basis, Entry, Failure, Key, Store } from '../../../../../runtime/contract/index.js';
import { type OpenEtcdStoreOptions, openEtcdStore } from '../../../../../runtime/storage/etcd/index.js';
import {
  type EtcdCluster,
  type EtcdOptions,
  etcdOrWhyNot,
  hasEtcd,
  startEtcd,
  wireTo,
} from '../../../../support/etcd.js';
import { until } from '../../../../support/eventually.js';
import { Observer } from '../../../../support/store-invariants.js';
import {
  commit,
  contentOf,
  encoded,
  listed,
  readAttributes,
  stamped,
  textOf,
  watching,
} from '../../../../support/store-objects.js';

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function start(options?: EtcdOptions): Promise<EtcdCluster> {
  const etcd = await startEtcd(options);
  cleanUps.push(() => etcd.dispose());
  return etcd;
}

async function open(etcd: EtcdCluster, options: Partial<OpenEtcdStoreOptions> = {}) {
  const store = await openEtcdStore({ endpoints: etcd.endpoints, readAttributes, compaction: false, ...options });
  cleanUps.push(() => store.close());
  return store;
}

/** Writes again and again until `stop` is called. Keeps the acknowledged entries. */
function keepWriting(store: Store, name: string) {
  const acknowledged: Entry[] = [];
  let failures = 0;
  let going = true;
  const running = (async () => {
    for (let index = 0; going; index++) {
      const answer = await store.commit({ key: `g/things/${name}-${index}`, expected: 0, next: encoded(`${index}`) });
      if (answer.outcome === 'committed') acknowledged.push(answer.entry);
      else failures++;
      await sleep(5);
    }
  })();
  return {
    acknowledged,
    failures: () => failures,
    async stop() {
      going = false;
      await running;
    },
  };
}

/** Checks that each change came once and in order, and that all acknowledged changes came. */
function expectComplete(seen: ReturnType<typeof watching>, acknowledged: readonly Entry[]): void {
  expect(seen.end).toBeUndefined();
  const revisions = seen.events.map(({ revision }) => revision);
  expect(revisions).toEqual([...new Set(revisions)].sort((a, b) => a - b));
  const delivered = new Set(revisions);
  expect(acknowledged.filter(({ revision }) => !delivered.has(revision))).toEqual([]);
}

describe.runIf(hasEtcd)(`stores over one ${etcdOrWhyNot}`, () => {
  it('see the acknowledged changes of the other by a consistent read, at once', async () => {
    const etcd = await start();
    const [a, b] = [await open(etcd), await open(etcd)];
    let revision = 0;
    for (let round = 0; round < 200; round++) {
      const [writer, reader] = round % 2 ? [a, b] : [b, a];
      revision = (await commit(writer, 'g/things/shared', revision, `${round}`)).revision;
      expect(await reader.confirm()).toBeUndefined();
      expect(contentOf(reader.get('g/things/shared'))).toBe(`${round}`);
      expect(reader.revision).toBeGreaterThanOrEqual(revision);
    }
    await commit(a, 'g/things/shared', revision);
    await b.confirm();
    expect(b.get('g/things/shared')).toBeUndefined();
  });

  it('let one of two win', async () => {
    const etcd = await start();
    const stores = [await open(etcd), await open(etcd)];
    const observers = stores.map((store) => new Observer(store));
    const increments = stores.map(async (store) => {
      for (let done = 0; done < 60; ) {
        const current = store.get('g/things/counter');
        const next = encoded(`${Number(contentOf(current) ?? 0) + 1}`);
        const answer = await store.commit({ key: 'g/things/counter', expected: current?.revision ?? 0, next });
        if (answer.outcome === 'committed') done++;
        else expect(answer.outcome).toBe('conflict');
      }
    });
    await Promise.all(increments);
    for (const store of stores) {
      await store.confirm();
      expect(contentOf(store.get('g/things/counter'))).toBe('120');
    }
    for (const observer of observers) observer.check();
  });

  it('make no change that was decided before an acknowledged change of the other', async () => {
    const etcd = await start();
    const [a, b] = [await open(etcd), await open(etcd)];
    for (let round = 0; round < 6; round++) {
      await expect.poll(() => a.basis?.(), { interval: 10 }).toBeDefined();
      const basis = a.basis?.();
      // It may be in memory by now, or not.
      await commit(b, `g/things/${round}`, 0, 'x');
      const sees = (): string => (a.get(`g/things/${round}`) ? 'seen' : 'unseen');
      const decide = (before: Basis | undefined) =>
        a.commit({ key: `g/decisions/${round}`, expected: 0, next: encoded(sees()), basis: before });
      expect(await decide(basis)).toMatchObject({ outcome: 'failed', outdated: true });
      expect(a.basis?.()).toBeUndefined();
      expect(await a.confirm()).toBeUndefined();
      expect(await decide(undefined)).toMatchObject({ outcome: 'committed' });
      expect(contentOf(a.get(`g/decisions/${round}`))).toBe('seen');
    }
  });

  it('make changes on the state in memory while the other is silent', async () => {
    const etcd = await start();
    const [a] = [await open(etcd), await open(etcd)];
    await expect.poll(() => a.basis?.(), { interval: 10 }).toBeDefined();
    for (let round = 0; round < 5; round++) {
      const made = Array.from({ length: 30 }, (_, index) =>
        a.commit({ key: `g/things/${round}-${index}`, expected: 0, next: encoded('x'), basis: a.basis?.() }),
      );
      expect(new Set((await Promise.all(made)).map(({ outcome }) => outcome))).toEqual(new Set(['committed']));
    }
  });

  it('send watchers the same, including last states of deleted objects', async () => {
    const etcd = await start();
    const [a, b] = [await open(etcd), await open(etcd)];
    const [atA, atB] = [watching(a, '', a.revision), watching(b, '', b.revision)];
    const one = await commit(a, 'g/things/a', 0, 'one');
    const two = await commit(a, '/pods/ns/b', 0, 'ü𝄞');
    await a.commit({ key: 'g/things/a', expected: one.revision, last: encoded('last') });
    await commit(a, '/pods/ns/b', two.revision);
    await b.confirm();
    expect(atB.summary).toEqual([
      'ADDED g/things/a one',
      'ADDED /pods/ns/b ü𝄞',
      'DELETED g/things/a last',
      'DELETED /pods/ns/b ü𝄞',
    ]);
    expect(atB.events).toEqual(atA.events);
  });

  it('continue with revisions of others, and reach revisions that another server names', async () => {
    const etcd = await start();
    const a = await open(etcd);
    const stranger = await open(etcd, { prefix: '/stranger/' });
    await commit(stranger, 'g/things/a', 0, 'one');
    const b = await open(etcd);
    expect(b.revision).toBeGreaterThan(a.revision);
    expect(await a.reached(b.revision, 3000)).toBe(true);
    expect(listed(a, '').entries).toEqual([]);
    expect(await a.reached(b.revision + 1, 50)).toBe(false);
  });

  it('load existing objects in pages', async () => {
    const etcd = await start();
    const a = await open(etcd);
    const large = 'x'.repeat(20_000);
    // All at once, 10 MB would keep a slow disk busy for longer than a commit waits.
    for (let first = 0; first < 500; first += 50) {
      const indexes = Array.from({ length: 50 }, (_, i) => first + i);
      await Promise.all(indexes.map((index) => commit(a, `g/things/${index}`, 0, `${index}${large}`)));
    }
    const b = await open(etcd);
    const describeAll = (store: Store) =>
      listed(store, '').entries.map((entry) => `${entry.revision} ${textOf(entry)}`);
    expect(describeAll(b)).toEqual(describeAll(a));
    expect(b.count('')).toBe(500);
  });

  it('start over when another program writes several objects at once', async () => {
    const etcd = await start();
    const [a, b] = [await open(etcd), await open(etcd)];
    const entry = await commit(a, 'g/things/a', 0, 'one');
    await commit(a, 'g/things/b', 0, 'two');
    await b.confirm();
    const watch = watching(b, '', b.revision);
    const { Connection } = await import('../../../../../runtime/storage/etcd/connection.js');
    const { Layout } = await import('../../../../../runtime/storage/etcd/layout.js');
    const { txn } = await import('../../../../../runtime/storage/etcd/messages.js');
    const [layout, connection] = [new Layout('/kindforge/'), new Connection({ endpoints: etcd.endpoints })];
    const success = ['a', 'b'].map((name) => ({ requestDeleteRange: { key: layout.object(`g/things/${name}`) } }));
    await connection.ask(txn, { compare: [], success }, { withinMs: 1000, repeatable: false });
    await until(() => b.count('') === 0);
    expect(watch.end).toBe('compacted');
    expect(b.list('', { at: entry.revision })).toBe('compacted');
    const again = watching(b, '', b.revision);
    const put = { requestPut: { key: layout.object('g/things/c'), value: Buffer.from(stamped('other', 7)) } };
    await connection.ask(txn, { compare: [], success: [put] }, { withinMs: 1000, repeatable: false });
    connection.close();
    await until(() => b.count('') === 1);
    expect(again.end).toBe('compacted');
    expect(b.revision).toBeGreaterThanOrEqual(b.get('g/things/c')?.revision ?? 0);
    await commit(b, 'g/things/c', b.get('g/things/c')?.revision ?? 0);
    await commit(b, 'g/things/a', 0, 'again');
    expect(contentOf(b.get('g/things/a'))).toBe('again');
  });

  it.each(['garbage', '[1]', '{}', '{"metadata":{}}', '{"metadata":{"name":"a","resourceVersion":""', '\u0000'])(
    'report an object that is overwritten by %j once, and never treat it as absent',
    async (garbage) => {
      const etcd = await start();
      const reported: string[] = [];
      const a = await open(etcd, { onDamageFound: ({ key, problem }) => reported.push(`${key}: ${problem}`) });
      await commit(a, 'g/things/bad', 0, 'good');
      const watch = watching(a, 'g/', a.revision);
      const { Connection } = await import('../../../../../runtime/storage/etcd/connection.js');
      const { Layout } = await import('../../../../../runtime/storage/etcd/layout.js');
      const { txn } = await import('../../../../../runtime/storage/etcd/messages.js');
      const connection = new Connection({ endpoints: etcd.endpoints });
      const place = { key: new Layout('/kindforge/').object('g/things/bad') };
      const write = (operation: object) =>
        connection.ask(txn, { compare: [], success: [operation] }, { withinMs: 1000, repeatable: false });
      await write({ requestPut: { ...place, value: Buffer.from(garbage) } });
      await until(() => a.damage.length === 1);
      const problem = /^the value in etcd at revision \d+ is not a stored object$/;
      expect(reported).toEqual([expect.stringMatching(/^g\/things\/bad: the value in etcd at revision \d+ is not/)]);
      expect(watch.summary).toEqual(['DELETED g/things/bad good']);
      expect(a.get('g/things/bad')).toBeUndefined();
      const failure = { reason: 'InternalError', message: expect.stringContaining('delete the key in etcd') };
      expect(a.damageAt?.('g/things/bad')).toMatchObject(failure);
      const creation = await a.commit({ key: 'g/things/bad', expected: 0, next: encoded('new') });
      expect(creation).toMatchObject({ outcome: 'failed', failure });
      await expect(open(etcd)).rejects.toThrow('g/things/bad: the value in etcd at revision');
      const b = await open(etcd, { onDamage: 'serve-rest' });
      expect([listed(b, '').entries, b.damage]).toEqual([
        [],
        [expect.objectContaining({ key: 'g/things/bad', problem: expect.stringMatching(problem) })],
      ]);
      await write({ requestDeleteRange: place });
      await until(() => a.damage.length === 0 && b.damage.length === 0);
      await commit(a, 'g/things/bad', 0, 'mended');
      expect(a.damageAt?.('g/things/bad')).toBeUndefined();
      expect(reported).toHaveLength(1);
      await write({ requestPut: { ...place, value: Buffer.from(garbage) } });
      connection.close();
      await until(() => b.unreadable?.('g/things/').length === 1);
      expect([b.unreadable?.('g/other/'), await b.evict?.('g/things/bad')]).toEqual([[], undefined]);
      await until(() => a.damage.length === 0 && b.damage.length === 0);
      await commit(a, 'g/things/bad', 0, 'again');
    },
  );
});

describe.runIf(hasEtcd)(`a store with ${etcdOrWhyNot} that fails`, () => {
  it('reports the failure, still reads from memory, and recovers without losing a change', async () => {
    const etcd = await start();
    const [member] = etcd.members;
    const [a, b] = [await open(etcd), await open(etcd)];
    const watch = watching(b, 'g/', b.revision);
    const entry = await commit(a, 'g/things/a', 0, 'one');
    await b.confirm();
    await member?.kill();
    const [read, write] = await Promise.all([
      b.confirm(),
      b.commit({ key: 'g/things/b', expected: 0, next: encoded('lost') }),
    ]);
    expect(read).toMatchObject({ reason: 'ServiceUnavailable', details: { retryAfterSeconds: 1 } });
    expect(read?.message).toContain(member?.endpoint.replace('http://', ''));
    expect(write).toMatchObject({ outcome: 'failed' });
    expect(b.get('g/things/a')).toEqual(entry);
    expect(b.health()).toContain('the watch of etcd is down');
    await member?.restart();
    await until(() => a.health() === '' && b.health() === '');
    const after = await commit(a, 'g/things/c', 0, 'three');
    expect(await b.confirm()).toBeUndefined();
    expectComplete(watch, [entry, after]);
  });

  it('keeps its watches through kills while others write', async () => {
    const etcd = await start();
    const [a, b] = [await open(etcd), await open(etcd)];
    const [atA, atB] = [watching(a, 'g/', a.revision), watching(b, 'g/', b.revision)];
    const writing = keepWriting(a, 'w');
    for (let round = 0; round < 3; round++) {
      await sleep(300);
      await etcd.members[0]?.kill();
      await etcd.members[0]?.restart();
    }
    const before = writing.acknowledged.length;
    await until(() => writing.acknowledged.length > before + 20);
    await writing.stop();
    for (const store of [a, b]) expect(await store.confirm()).toBeUndefined();
    expectComplete(atA, writing.acknowledged);
    expectComplete(atB, writing.acknowledged);
  });

  it('survives the loss of each member of three in turn', async () => {
    const etcd = await start({ members: 3 });
    // Each prefers another member.
    const { endpoints } = etcd;
    const rotated = [...endpoints.slice(1), ...endpoints.slice(0, 1)];
    const [a, b] = [await open(etcd), await open(etcd, { endpoints: rotated })];
    const [atA, atB] = [watching(a, 'g/', a.revision), watching(b, 'g/', b.revision)];
    const writing = keepWriting(a, 'w');
    for (const member of etcd.members) {
      await sleep(200);
      await member.kill();
      const before = writing.acknowledged.length;
      await until(() => writing.acknowledged.length > before + 10);
      expect(await b.confirm()).toBeUndefined();
      await member.restart();
    }
    await writing.stop();
    for (const store of [a, b]) expect(await store.confirm()).toBeUndefined();
    expectComplete(atA, writing.acknowledged);
    expectComplete(atB, writing.acknowledged);
    // One member is always enough, so writers only ever waited.
    expect(writing.failures()).toBe(0);
  }, 300_000);

  it('does not make an object again that was deleted before the answer to its creation came', async () => {
    const etcd = await start();
    const [member = ''] = etcd.endpoints;
    const wire = await wireTo(member);
    cleanUps.push(() => wire.close());
    const [a, b] = [await open(etcd, { endpoints: [wire.endpoint, member] }), await open(etcd)];
    const watch = watching(b, 'g/', b.revision);
    wire.deafen();
    const creating = a.commit({ key: 'g/things/a', expected: 0, next: encoded('one') });
    await until(() => watch.events.length === 1);
    const made = b.get('g/things/a');
    await commit(b, 'g/things/a', made?.revision ?? 0);
    wire.cut();
    expect(await creating).toEqual({ outcome: 'committed', entry: made });
    expect(await b.confirm()).toBeUndefined();
    expect(watch.summary).toEqual(['ADDED g/things/a one', 'DELETED g/things/a one']);
  });

  it('reports that the outcome of a change is unknown', async () => {
    const etcd = await start();
    const [member = ''] = etcd.endpoints;
    const wire = await wireTo(member);
    cleanUps.push(() => wire.close());
    const [a, b] = [await open(etcd, { endpoints: [wire.endpoint, member] }), await open(etcd)];
    const first = await commit(a, 'g/things/a', 0, 'one');
    await b.confirm();
    const watch = watching(b, 'g/', first.revision);
    wire.deafen();
    const changing = a.commit({ key: 'g/things/a', expected: first.revision, next: encoded('two') });
    await until(() => watch.events.length === 1);
    await commit(b, 'g/things/a', b.get('g/things/a')?.revision ?? 0, 'three');
    wire.cut();
    expect(await changing).toMatchObject({
      outcome: 'failed',
      failure: { reason: 'Timeout', message: expect.stringContaining('the change may or may not have been stored') },
    });
    expect(await a.confirm()).toBeUndefined();
    expect(contentOf(a.get('g/things/a'))).toBe('three');
  });

  it('settles each change of a transaction by itself when the answer is lost', async () => {
    const etcd = await start();
    const [member = ''] = etcd.endpoints;
    const wire = await wireTo(member);
    cleanUps.push(() => wire.close());
    const [a, b] = [await open(etcd, { endpoints: [wire.endpoint, member] }), await open(etcd)];
    const old = await Promise.all(['a', 'b', 'c'].map((name) => commit(a, `g/things/${name}`, 0, 'old')));
    await b.confirm();
    const expected = (name: string) => b.get(`g/things/${name}`)?.revision ?? 0;
    const watch = watching(b, 'g/', b.revision);
    wire.deafen();
    const changing = Promise.all([
      a.commit({ key: 'g/things/new', expected: 0, next: encoded('new') }),
      a.commit({ key: 'g/things/gone', expected: 0, next: encoded('gone') }),
      a.commit({ key: 'g/things/a', expected: old[0]?.revision ?? 0, next: encoded('changed') }),
      a.commit({ key: 'g/things/b', expected: old[1]?.revision ?? 0, next: encoded('overwritten') }),
      a.commit({ key: 'g/things/c', expected: 0, next: encoded('refused') }),
    ]);
    await until(() => watch.events.length === 4);
    const [made, gone, changed] = watch.events.map(({ entry }) => entry);
    await commit(b, 'g/things/gone', expected('gone'));
    await commit(b, 'g/things/b', expected('b'), 'theirs');
    wire.cut();
    expect(await changing).toMatchObject([
      { outcome: 'committed', entry: made },
      { outcome: 'committed', entry: gone },
      { outcome: 'committed', entry: changed },
      { outcome: 'failed', failure: { reason: 'Timeout' } },
      // The first attempt could still come, after another client has deleted the object.
      { outcome: 'failed', failure: { reason: 'Timeout' } },
    ]);
    expect(await b.confirm()).toBeUndefined();
    expect(watch.summary).toEqual([
      'ADDED g/things/new new',
      'ADDED g/things/gone gone',
      'MODIFIED g/things/a changed',
      'MODIFIED g/things/b overwritten',
      'DELETED g/things/gone gone',
      'MODIFIED g/things/b theirs',
    ]);
  });

  it('asks for a restart if the data is older than the state in memory', async () => {
    const [etcd, older] = [await start(), await start()];
    const a = await open(etcd, { endpoints: [...etcd.endpoints, ...older.endpoints] });
    let revision = 0;
    for (let count = 0; count < 10; count++) revision = (await commit(a, 'g/things/a', revision, `${count}`)).revision;
    await etcd.members[0]?.kill();
    const refusal = { reason: 'ServiceUnavailable', message: expect.stringContaining('restart this server') };
    expect(await a.confirm()).toMatchObject(refusal);
    expect(a.health()).not.toBe('');
    expect(contentOf(a.get('g/things/a'))).toBe('9');
    const write = await a.commit({ key: 'g/things/b', expected: 0, next: encoded('x') });
    expect(write).toMatchObject({ outcome: 'failed', failure: { reason: 'ServiceUnavailable' } });
  });

  it('changes to another member when one does not answer', async () => {
    const etcd = await start({ members: 3 });
    const a = await open(etcd);
    const watch = watching(a, 'g/', a.revision);
    const first = await commit(a, 'g/things/a', 0, 'one');
    etcd.members[0]?.pause();
    try {
      const second = await commit(a, 'g/things/b', 0, 'two');
      expect(await a.confirm()).toBeUndefined();
      expectComplete(watch, [first, second]);
      await expect.poll(() => a.health(), { timeout: 30_000 }).toBe('');
    } finally {
      etcd.members[0]?.resume();
    }
  });

  it('reports that etcd is full or an object too large, and still reads', async () => {
    const etcd = await start({ flags: ['--quota-backend-bytes', '8000000'] });
    const a = await open(etcd);
    const large = await a.commit({ key: 'g/things/large', expected: 0, next: encoded('x'.repeat(5_000_000)) });
    expect(large).toMatchObject({ outcome: 'failed', failure: { reason: 'RequestEntityTooLarge' } });
    const kept: Key[] = [];
    let refusal: Failure | undefined;
    for (let index = 0; index < 60 && !refusal; index++) {
      const key = `g/things/${index}`;
      const answer = await a.commit({ key, expected: 0, next: encoded('x'.repeat(300_000)) });
      if (answer.outcome === 'committed') kept.push(key);
      else if (answer.outcome === 'failed') refusal = answer.failure;
    }
    expect(refusal).toMatchObject({
      reason: 'ServiceUnavailable',
      message: expect.stringContaining('database space exceeded'),
    });
    expect(await a.confirm()).toBeUndefined();
    // etcd refuses the change by which it turns out to be full, and stores it all the same.
    expect(listed(a, '').entries.map(({ key }) => key)).toEqual(kept.sort());
    expect(a.health()).toMatch(/space exceeded|alarm NOSPACE/);
    await expect
      .poll(() => a.health(), { timeout: 30_000 })
      .toContain('etcd refuses writes: it has raised the alarm NOSPACE');
    // Another server starts, and reports it without a write of its own.
    expect((await open(etcd)).health()).toContain('alarm NOSPACE');
  });

  it('keeps trying for a time at a start if its member is behind', async () => {
    const etcd = await start();
    const wire = await wireTo(etcd.endpoints[0] ?? '');
    cleanUps.push(() => wire.close());
    const a = await open(etcd);
    const writing = keepWriting(a, 'w');
    wire.slowLater(3_000);
    // The calls take so long that at least one write comes between the state and the head.
    wire.slow(200);
    const hasty = open(etcd, { endpoints: [wire.endpoint], openWithinMs: 1_000 });
    await expect(hasty).rejects.toThrow(/memory is behind etcd: at revision \d+ of \d+/);
    wire.slow(0);
    wire.slowLater(3_000);
    const opening = open(etcd, { endpoints: [wire.endpoint] });
    // Longer than one look-up takes.
    await sleep(6_000);
    wire.slowLater(0);
    const b = await opening;
    expect(b.health()).toBe('');
    await writing.stop();
    expect(await b.confirm()).toBeUndefined();
    expect(b.count('g/')).toBe(writing.acknowledged.length);
  });

  it('is refused after a time if etcd does not exist', async () => {
    const etcd = await start();
    await etcd.members[0]?.kill();
    const began = performance.now();
    await expect(open(etcd, { openWithinMs: 1500 })).rejects.toThrow(
      /etcd at 127\.0\.0\.1:\d+: No connection established/,
    );
    expect(performance.now() - began).toBeLessThan(20_000);
  });
});
