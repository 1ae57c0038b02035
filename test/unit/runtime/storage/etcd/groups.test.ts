/** Which changes go together to etcd, in what order, and what becomes of them when etcd refuses or is lost. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from 'vitest';
import type { Change, Span } from '../../../../../runtime/contract/index.js';
import { findSpans } from '../../../../../runtime/objects/tracing.js';
import type { AskOptions, Connection } from '../../../../../runtime/storage/etcd/connection.js';
import { EtcdError } from '../../../../../runtime/storage/etcd/errors.js';
import { Groups } from '../../../../../runtime/storage/etcd/groups.js';
import { Layout } from '../../../../../runtime/storage/etcd/layout.js';
import type { TxnRequest, TxnResponse } from '../../../../../runtime/storage/etcd/messages.js';
import { Numbering } from '../../../../../runtime/storage/etcd/numbering.js';
import { OtherWriters } from '../../../../../runtime/storage/etcd/other-writers.js';
import { PendingChange } from '../../../../../runtime/storage/etcd/pending-change.js';
import { FORMAT } from '../../../../../runtime/storage/etcd/restore-epoch.js';
import { encoded } from '../../../../support/store-objects.js';

const layout = new Layout('/t/');
const context = {
  layout,
  numbering: new Numbering(0),
  epoch: { format: FORMAT, base: 0, unfinished: false, revision: 1 },
  others: new OtherWriters(),
} as const;
const follow = async () => undefined;

/** The keys that a transaction changes, in its order. */
function keysOf({ success }: TxnRequest): readonly string[] {
  return success.flatMap(({ requestPut, requestTxn }) => {
    if (requestTxn) return keysOf(requestTxn);
    const key = requestPut && layout.keyOf(Buffer.from(requestPut.key));
    return key === undefined ? [] : [key];
  });
}

/** etcd that makes every change, unless `refuse` says otherwise; it answers when it is told to. */
function fakeEtcd(refuse: (keys: readonly string[]) => EtcdError | undefined = () => undefined) {
  const asked: (readonly string[])[] = [];
  const answers: (() => void)[] = [];
  let revision = 100;
  const connection: Pick<Connection, 'ask'> = {
    async ask(_method: unknown, question: unknown, _options: AskOptions) {
      const request = question as TxnRequest;
      asked.push(keysOf(request));
      await new Promise<void>((resolve) => answers.push(resolve));
      const error = refuse(keysOf(request));
      if (error) throw error;
      const responses = request.success.map(({ requestTxn }) =>
        requestTxn ? { responseTxn: { succeeded: true } } : {},
      );
      const answer: TxnResponse = { header: { revision: ++revision }, succeeded: true, responses };
      return answer as never;
    },
  };
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return {
    connection,
    asked,
    /** Answers whatever is asked, until nothing is. */
    async answerAll(): Promise<void> {
      for (let idle = 0; idle < 20; idle++) {
        await turn();
        for (let answer = answers.shift(); answer; answer = answers.shift()) {
          answer();
          idle = 0;
        }
      }
    },
  };
}

const create = (key: string, more: Partial<Change> = {}) =>
  new PendingChange({ key, expected: 0, next: encoded('x'), ...more });
const later = () => performance.now() + 60_000;
const names = (count: number, prefix = 'k') => Array.from({ length: count }, (_, index) => `${prefix}${index}`);

describe('changes that go to etcd', () => {
  it('go together when they come together, and wait together for the transaction before', async () => {
    const { connection, asked, answerAll } = fakeEtcd();
    const groups = new Groups(connection, context, follow);
    const first = groups.decide(create('alone'), later());
    await new Promise((resolve) => setImmediate(resolve));
    const others = names(250).map((key) => groups.decide(create(key), later()));
    expect(asked).toEqual([['alone']]);
    await answerAll();
    expect(asked.map(({ length }) => length)).toEqual([1, 100, 100, 50]);
    expect(asked.flat()).toEqual(['alone', ...names(250)]);
    expect(await first).toMatchObject({ outcome: 'made', revision: 101, position: 0 });
    const verdicts = await Promise.all(others);
    expect(verdicts[99]).toMatchObject({ outcome: 'made', revision: 102, position: 99 });
    expect(verdicts[100]).toMatchObject({ outcome: 'made', revision: 103, position: 0 });
  });

  it('are no more at a time than allowed', async () => {
    for (const largest of [1, 3, 100]) {
      const { connection, asked, answerAll } = fakeEtcd();
      const groups = new Groups(connection, context, follow, largest);
      const all = names(7).map((key) => groups.decide(create(key), later()));
      await answerAll();
      await Promise.all(all);
      expect(asked.map(({ length }) => length)).toEqual({ 1: [1, 1, 1, 1, 1, 1, 1], 3: [3, 3, 1], 100: [7] }[largest]);
    }
  });

  it('have at most a mebibyte, unless one change alone is larger', async () => {
    const { connection, asked, answerAll } = fakeEtcd();
    const groups = new Groups(connection, context, follow);
    const sized = (key: string, bytes: number) =>
      groups.decide(create(key, { next: encoded('x'.repeat(bytes)) }), later());
    // Each content is there twice: once as a label.
    const all = [sized('a', 200_000), sized('b', 200_000), sized('c', 200_000), sized('d', 600_000), sized('e', 1)];
    await answerAll();
    await Promise.all(all);
    expect(asked).toEqual([['a', 'b'], ['c'], ['d'], ['e']]);
  });

  it('go apart from changes that they rely on', async () => {
    const { connection, asked, answerAll } = fakeEtcd();
    const groups = new Groups(connection, context, follow);
    const guards = [{ key: 'guard', revision: 300 }];
    const all = [create('a', { guards }), create('guard'), create('b', { guards }), create('c')];
    const deciding = all.map((pending) => groups.decide(pending, later()));
    await answerAll();
    await Promise.all(deciding);
    // `a` comes before what it counts on changes, in the same transaction; `b` would come behind it.
    expect(asked).toEqual([
      ['a', 'guard'],
      ['b', 'c'],
    ]);
  });

  it('go one by one where etcd refuses them together', async () => {
    const tooMany = new EtcdError('refused', 'etcd at x: etcdserver: too many operations in txn request');
    const { connection, asked, answerAll } = fakeEtcd((keys) => (keys.length > 1 ? tooMany : undefined));
    const groups = new Groups(connection, context, follow);
    const all = names(3).map((key) => groups.decide(create(key), later()));
    await answerAll();
    expect((await Promise.all(all)).map(({ outcome }) => outcome)).toEqual(['made', 'made', 'made']);
    expect(asked).toEqual([['k0', 'k1', 'k2'], ['k0'], ['k1'], ['k2']]);
  });

  it('get the known outcome if etcd is full or lost, and are not sent again', async () => {
    const errors = [
      new EtcdError('refused', 'etcd at x: etcdserver: mvcc: database space exceeded'),
      new EtcdError('uncertain', 'etcd at x: etcdserver: request timed out'),
      new EtcdError('unsent', 'etcd at x: etcdserver: no leader'),
    ];
    for (const error of errors) {
      const { connection, asked, answerAll } = fakeEtcd(() => error);
      const groups = new Groups(connection, context, follow);
      const all = Promise.allSettled(names(2).map((key) => groups.decide(create(key), later())));
      await answerAll();
      expect(await all).toEqual([
        { status: 'rejected', reason: error },
        { status: 'rejected', reason: error },
      ]);
      expect(asked).toHaveLength(1);
    }
  });

  it('are in the trace of the first request that is traced, whichever came before', async () => {
    const requests = new AsyncLocalStorage<string>();
    const { connection, answerAll } = fakeEtcd();
    const seen: (string | undefined)[] = [];
    const ask: Connection['ask'] = (...question) => {
      seen.push(requests.getStore());
      return connection.ask(...question);
    };
    const spanOf = (id: string): Span => ({
      headers: {},
      begin: () => spanOf(id),
      within: (run) => requests.run(id, run),
      rename() {},
      set() {},
      fail() {},
      end() {},
    });
    findSpans(() => {
      const id = requests.getStore();
      return id === undefined ? undefined : spanOf(id);
    });
    try {
      const groups = new Groups({ ask }, context, follow, 2);
      const by = (id: string, key: string) => requests.run(id, () => groups.decide(create(key), later()));
      const all = [by('one', 'a'), by('two', 'b'), by('three', 'c'), groups.decide(create('d'), later())];
      all.push(groups.decide(create('e'), later()), by('six', 'f'), groups.decide(create('g'), later()));
      await answerAll();
      await Promise.all(all);
      expect(seen).toEqual(['one', 'three', 'six', undefined]);
    } finally {
      findSpans(() => undefined);
    }
  });

  it('are not sent when their time is over', async () => {
    const { connection, asked, answerAll } = fakeEtcd();
    const groups = new Groups(connection, context, follow);
    const late = groups.decide(create('late'), performance.now() - 1);
    const refused = expect(late).rejects.toMatchObject({ problem: 'unsent' });
    const inTime = groups.decide(create('in-time'), later());
    await answerAll();
    await Promise.all([refused, inTime]);
    expect(asked).toEqual([['in-time']]);
  });
});
