/**
 * Groups of changes for the driver: their members, their order, and their outcome when the driver refuses or is lost.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from 'vitest';
import type { Change, SharedDriver, SharedProposal, Span } from '../../../../../runtime/contract/index.js';
import { findSpans } from '../../../../../runtime/objects/tracing.js';
import { DriverError } from '../../../../../runtime/storage/shared/errors.js';
import { Groups } from '../../../../../runtime/storage/shared/groups.js';
import { OtherWriters } from '../../../../../runtime/storage/shared/other-writers.js';
import { PendingChange } from '../../../../../runtime/storage/shared/pending-change.js';
import { encoded } from '../../../../support/store-objects.js';

type Committing = Pick<SharedDriver, 'commit' | 'limits'>;

const writers = new OtherWriters('self');
const follow = async () => undefined;
const usual = { changes: 100, bytes: 1024 * 1024, guards: 20 };

/** Makes a driver that makes every change, unless `refuse` forbids it. It answers when the test calls it. */
function fakeDriver(
  refuse: (keys: readonly string[]) => DriverError | undefined = () => undefined,
  limits: Committing['limits'] = usual,
) {
  const asked: (readonly string[])[] = [];
  const answers: (() => void)[] = [];
  let number = 100;
  const driver: Committing = {
    limits,
    async commit(group: readonly SharedProposal[]) {
      const keys = group.map(({ key }) => key);
      asked.push(keys);
      await new Promise<void>((resolve) => answers.push(resolve));
      const error = refuse(keys);
      if (error) throw error;
      number += 100;
      const verdicts = keys.map((_, index) => ({ made: true, revision: number + index }) as const);
      return { outcome: 'decided', number, head: number, verdicts };
    },
  };
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return {
    driver,
    asked,
    /** Waits until the changes so far have been sent, if they can be. */
    async turns(): Promise<void> {
      for (let turns = 0; turns < 20; turns++) await turn();
    },
    /** Answers all questions until there are no more. */
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

describe('changes for the driver', () => {
  it('go together when they come together, and wait together for the group before', async () => {
    const { driver, asked, answerAll } = fakeDriver();
    const groups = new Groups(driver, writers, follow);
    const first = groups.decide(create('alone'), later());
    await new Promise((resolve) => setImmediate(resolve));
    const others = names(250).map((key) => groups.decide(create(key), later()));
    expect(asked).toEqual([['alone']]);
    await answerAll();
    expect(asked.map(({ length }) => length)).toEqual([1, 100, 100, 50]);
    expect(asked.flat()).toEqual(['alone', ...names(250)]);
    expect(await first).toMatchObject({ outcome: 'made', revision: 200 });
    const verdicts = await Promise.all(others);
    expect(verdicts[99]).toMatchObject({ outcome: 'made', revision: 399 });
    expect(verdicts[100]).toMatchObject({ outcome: 'made', revision: 400 });
  });

  it('are limited to a number at a time', async () => {
    for (const largest of [1, 3, 100]) {
      const { driver, asked, answerAll } = fakeDriver();
      const groups = new Groups(driver, writers, follow, largest);
      const all = names(7).map((key) => groups.decide(create(key), later()));
      await answerAll();
      await Promise.all(all);
      expect(asked.map(({ length }) => length)).toEqual({ 1: [1, 1, 1, 1, 1, 1, 1], 3: [3, 3, 1], 100: [7] }[largest]);
    }
  });

  it('have at most a mebibyte, unless one change alone is larger', async () => {
    const { driver, asked, answerAll } = fakeDriver();
    const groups = new Groups(driver, writers, follow);
    const sized = (key: string, bytes: number) =>
      groups.decide(create(key, { next: encoded('x'.repeat(bytes)) }), later());
    // Each content is there twice: once as a label.
    const all = [sized('a', 200_000), sized('b', 200_000), sized('c', 200_000), sized('d', 600_000), sized('e', 1)];
    await answerAll();
    await Promise.all(all);
    expect(asked).toEqual([['a', 'b'], ['c'], ['d'], ['e']]);
  });

  it('go in a later group than a change of their guard', async () => {
    const { driver, asked, answerAll } = fakeDriver();
    const groups = new Groups(driver, writers, follow);
    const guards = [{ key: 'guard', revision: 300 }];
    const all = [create('a', { guards }), create('guard'), create('b', { guards }), create('c')];
    const deciding = all.map((pending) => groups.decide(pending, later()));
    await answerAll();
    await Promise.all(deciding);
    // `a` comes before the change of its guard, in the same group; `b` would come after it.
    expect(asked).toEqual([
      ['a', 'guard'],
      ['b', 'c'],
    ]);
  });

  it('go one by one if the driver refuses them together', async () => {
    const tooMany = new DriverError('refused', 'etcd at x: etcdserver: too many operations in txn request');
    const { driver, asked, answerAll } = fakeDriver((keys) => (keys.length > 1 ? tooMany : undefined));
    const groups = new Groups(driver, writers, follow);
    const all = names(3).map((key) => groups.decide(create(key), later()));
    await answerAll();
    expect((await Promise.all(all)).map(({ outcome }) => outcome)).toEqual(['made', 'made', 'made']);
    expect(asked).toEqual([['k0', 'k1', 'k2'], ['k0'], ['k1'], ['k2']]);
  });

  it('get the known outcome if the driver is full or lost, and are not sent again', async () => {
    const errors = [
      new DriverError('refused', 'etcd at x: etcdserver: mvcc: database space exceeded', { full: true }),
      new DriverError('uncertain', 'etcd at x: etcdserver: request timed out'),
      new DriverError('unsent', 'etcd at x: etcdserver: no leader'),
    ];
    for (const error of errors) {
      const { driver, asked, answerAll } = fakeDriver(() => error);
      const groups = new Groups(driver, writers, follow);
      const all = Promise.allSettled(names(2).map((key) => groups.decide(create(key), later())));
      await answerAll();
      expect(await all).toEqual([
        { status: 'rejected', reason: error },
        { status: 'rejected', reason: error },
      ]);
      expect(asked).toHaveLength(1);
    }
  });

  it('are in the trace of the first traced request, whichever came before', async () => {
    const requests = new AsyncLocalStorage<string>();
    const { driver, answerAll } = fakeDriver();
    const seen: (string | undefined)[] = [];
    const commit: Committing['commit'] = (...question) => {
      seen.push(requests.getStore());
      return driver.commit(...question);
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
      const groups = new Groups({ commit, limits: usual }, writers, follow, 2);
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

  it('go while the groups before have no answer, if the driver takes more than one', async () => {
    const { driver, asked, turns, answerAll } = fakeDriver(undefined, { ...usual, groups: 2 });
    const groups = new Groups(driver, writers, follow);
    const decide = (...keys: string[]) => keys.map((key) => groups.decide(create(key), later()));
    const all = decide('a', 'b');
    await turns();
    all.push(...decide('c'));
    await turns();
    all.push(...decide('d', 'e'));
    await turns();
    expect(asked).toEqual([['a', 'b'], ['c']]);
    await answerAll();
    await Promise.all(all);
    expect(asked).toEqual([['a', 'b'], ['c'], ['d', 'e']]);
  });

  it('go alone on an unconfirmed basis, because the groups before move the head', async () => {
    const { driver, asked, turns, answerAll } = fakeDriver(undefined, { ...usual, groups: 2 });
    const groups = new Groups(driver, writers, follow);
    const basis = { isOutdated: false, confirm: async () => undefined };
    const all = [groups.decide(create('a'), later())];
    await turns();
    all.push(groups.decide(create('b', { basis }), later()));
    await turns();
    expect(asked).toEqual([['a']]);
    await answerAll();
    await Promise.all(all);
    expect(asked).toEqual([['a'], ['b']]);
  });

  it('are sent again although no other change waits, if the driver refuses two groups', async () => {
    const tooMany = new DriverError('refused', 'too many operations');
    const refuse = (keys: readonly string[]) => (keys.length > 1 ? tooMany : undefined);
    const { driver, asked, turns, answerAll } = fakeDriver(refuse, { ...usual, groups: 2 });
    const groups = new Groups(driver, writers, follow);
    const all = ['a', 'b'].map((key) => groups.decide(create(key), later()));
    await turns();
    await answerAll();
    await Promise.all(all);
    expect(asked).toEqual([['a', 'b'], ['a'], ['b']]);
  });

  it('are not sent when their time is over', async () => {
    const { driver, asked, answerAll } = fakeDriver();
    const groups = new Groups(driver, writers, follow);
    const late = groups.decide(create('late'), performance.now() - 1);
    const refused = expect(late).rejects.toMatchObject({ problem: 'unsent' });
    const inTime = groups.decide(create('in-time'), later());
    await answerAll();
    await Promise.all([refused, inTime]);
    expect(asked).toEqual([['in-time']]);
  });
});
