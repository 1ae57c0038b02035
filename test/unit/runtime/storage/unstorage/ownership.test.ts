/** Data over an unstorage driver has one writer, however many try, and whenever their calls take effect. */
import fc from 'fast-check';
import { createStorage, type Driver } from 'unstorage';
import memory from 'unstorage/drivers/memory';
import { beforeEach, describe, expect, it } from 'vitest';
import { journalBackend } from '../../../../../runtime/storage/backends/journal.js';
import { type Owner, thisProcess } from '../../../../../runtime/storage/backends/owner.js';
import { DataInUseError, type EmbeddedStore, openStore } from '../../../../../runtime/storage/index.js';
import { unstorageBackend } from '../../../../../runtime/storage/unstorage/index.js';
import type { OwnershipTiming } from '../../../../../runtime/storage/unstorage/options.js';
import { UnstorageSegments } from '../../../../../runtime/storage/unstorage/segments.js';
import { randomFrom } from '../../../../support/damage.js';
import { effort } from '../../../../support/effort.js';
import { until } from '../../../../support/eventually.js';
import { slowDriver } from '../../../../support/slow-driver.js';
import { commit, encoded, keysOf, listed, readAttributes } from '../../../../support/store-objects.js';

/** Makes an owner on another machine, which shows only its heartbeat. */
const elsewhere = (pid: number): Owner => ({ ...thisProcess(), pid, host: `host-${pid}`, boot: 'another' });

const QUICK: OwnershipTiming = { heartbeatMs: 20, silenceMs: 200, settleMs: 1 };

/** Opens a store like a process on another machine. */
function openAs(pid: number, driver: Driver, timing: OwnershipTiming = QUICK): Promise<EmbeddedStore> {
  const storage = createStorage({ driver });
  const release = async (): Promise<void> => {};
  const options = { storage, base: 'kindforge', place: 'the data', durability: 'none', release, timing } as const;
  const segments = new UnstorageSegments({ ...options, self: elsewhere(pid) });
  return openStore({ backend: journalBackend(segments), readAttributes });
}

let driver: Driver;
let items: Map<string, Buffer>;
beforeEach(() => {
  const made = memory();
  driver = made;
  items = made.getInstance?.() ?? new Map();
});

const keysAfter = async (): Promise<readonly string[]> => {
  const store = await openAs(99, driver);
  const keys = keysOf(listed(store, ''));
  await store.close();
  return keys;
};

describe('a second writer', () => {
  it('is refused in the same process, and the first one continues', async () => {
    const opening = () => openStore({ backend: unstorageBackend(driver), readAttributes });
    const store = await opening();
    const refusal = await opening().catch((error) => error);
    expect(refusal).toBeInstanceOf(DataInUseError);
    expect(refusal.message).toBe(
      `the data of the driver memory is in use by process ${process.pid}; stop that process, or choose another place for the data`,
    );
    await commit(store, 'g/things/a', 0, 'x');
    await store.close();
    const again = await opening();
    expect(again.count('')).toBe(1);
    await again.close();
  });

  it('is refused on another machine while the first one has a heartbeat', async () => {
    const first = await openAs(1, driver);
    await expect(openAs(2, driver)).rejects.toThrow('the data is in use by process 1 on host-1');
    await commit(first, 'g/things/a', 0, 'x');
    expect(first.health()).toBe('');
    await first.close();
    expect(await keysAfter()).toEqual(['g/things/a']);
  });

  it('gets the data at once when the first one is done', async () => {
    const patient = { ...QUICK, silenceMs: 60_000 };
    await (await openAs(1, driver, patient)).close();
    await (await openAs(2, driver, patient)).close();
  });

  it('that starts at the same moment is refused, except one', async () => {
    for (let round = 0; round < 10; round++) {
      const timing = { ...QUICK, settleMs: 30 };
      const started = await Promise.allSettled([1, 2, 3, 4].map((pid) => openAs(pid, driver, timing)));
      const opened = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      expect(opened).toHaveLength(1);
      for (const store of opened) await store.close();
    }
  });
});

describe('a writer that was silent too long', () => {
  it('is superseded, notices it, and stops writing', async () => {
    const slow = slowDriver(driver);
    const first = await openAs(1, slow.driver);
    await commit(first, 'g/things/a', 0, 'x');
    slow.hold(() => true);
    const second = await openAs(2, driver);
    await commit(second, 'g/things/b', 0, 'x');
    slow.release();
    await until(() => first.health() !== '');
    expect(first.health()).toBe('the data has been taken over by process 2 on host-2');
    const answer = await first.commit({ key: 'g/things/c', expected: 0, next: encoded('x') });
    expect(answer).toMatchObject({
      outcome: 'failed',
      failure: { message: 'the change could not be stored: the data has been taken over by process 2 on host-2' },
    });
    await first.close();
    await commit(second, 'g/things/d', 0, 'x');
    await second.close();
    expect(await keysAfter()).toEqual(['g/things/a', 'g/things/b', 'g/things/d']);
  });

  it.each([true, false])(
    'cannot complete a write in flight, whether the next one writes or not: %s',
    async (writes) => {
      const slow = slowDriver(driver);
      const first = await openAs(1, slow.driver);
      await commit(first, 'g/things/a', 0, 'x');
      slow.hold(() => true);
      const late = first.commit({ key: 'g/things/late', expected: 0, next: encoded('x') });
      await until(() => slow.waiting >= 1);
      const second = await openAs(2, driver);
      if (writes) await commit(second, 'g/things/b', 0, 'x');
      slow.release();
      expect(await late).toMatchObject({ outcome: 'failed', failure: { reason: 'Timeout' } });
      // The segment that it stored too late is there, and is not read.
      expect([...items.keys()].filter((key) => /segments:2-1-/.test(key))).toHaveLength(1);
      await first.close();
      await second.close();
      expect(await keysAfter()).toEqual(['g/things/a', ...(writes ? ['g/things/b'] : [])]);
      const third = await openAs(3, driver);
      await commit(third, 'g/things/c', 0, 'x');
      await third.close();
      expect([...items.keys()].filter((key) => /segments:2-1-/.test(key))).toHaveLength(0);
    },
  );

  it('may still become the last writer if it slept before it claimed the data', async () => {
    await (await openAs(1, driver)).close();
    const slow = slowDriver(driver);
    slow.hold((method, key) => method === 'setItemRaw' && key.endsWith(':owner'));
    const sleeping = openAs(2, slow.driver);
    await until(() => slow.waiting === 1);
    for (const pid of [3, 4]) {
      const store = await openAs(pid, driver, { ...QUICK, silenceMs: 20 });
      await commit(store, `g/things/${pid}`, 0, 'x');
      await store.close();
    }
    slow.release();
    const last = await sleeping;
    await commit(last, 'g/things/2', 0, 'x');
    await last.close();
    expect(await keysAfter()).toEqual(['g/things/2', 'g/things/3', 'g/things/4']);
  });

  it('does not acknowledge a write that it stored in time but could not confirm', async () => {
    const slow = slowDriver(driver);
    const first = await openAs(1, slow.driver, { ...QUICK, heartbeatMs: 60_000 });
    slow.hold((method) => method === 'getItemRaw');
    const late = first.commit({ key: 'g/things/a', expected: 0, next: encoded('x') });
    await until(() => slow.waiting === 1);
    const second = await openAs(2, driver, { ...QUICK, silenceMs: 20 });
    slow.release();
    // It is there all the same, as for any client that has lost its connection.
    expect(await late).toMatchObject({ outcome: 'failed', failure: { reason: 'Timeout' } });
    expect(keysOf(listed(second, ''))).toEqual(['g/things/a']);
    await second.close();
  });
});

describe('a writer with a claim that takes longer than its heartbeat', () => {
  it.each(['gone', 'never there'])('gets the data if the writer before it is %s', async (before) => {
    if (before === 'gone') await (await openAs(1, driver)).close();
    const slow = slowDriver(driver);
    slow.hold((method, key) => method === 'setItemRaw' && key.endsWith(':owner'));
    const opening = openAs(2, slow.driver);
    await until(() => slow.waiting === 1);
    await new Promise((resolve) => setTimeout(resolve, 5 * QUICK.heartbeatMs));
    slow.release();
    const store = await opening;
    await commit(store, 'g/things/a', 0, 'x');
    expect(store.health()).toBe('');
    await store.close();
    expect(await keysAfter()).toEqual(['g/things/a']);
  });
});

describe('a writer with a driver that fails while nobody writes', () => {
  it('reports it until the driver works again', async () => {
    let problem = '';
    const broken: Driver = {
      ...driver,
      setItemRaw(key, value, options) {
        if (problem !== '') throw new Error(problem);
        return driver.setItemRaw?.(key, value, options);
      },
    };
    const store = await openAs(1, broken);
    expect(store.health()).toBe('');
    problem = 'no space left on the device';
    await until(() => store.health() !== '');
    expect(store.health()).toBe('storage does not accept the heartbeat: no space left on the device');
    problem = '';
    await until(() => store.health() === '');
    items.set('kindforge:owner', Buffer.from('garbage'));
    await until(() => store.health().includes('kindforge:owner is not a record of an owner'));
    await store.close();
  });

  it('reports it if the driver does not answer', async () => {
    const slow = slowDriver(driver);
    const store = await openAs(1, slow.driver);
    slow.hold(() => true);
    await until(() => store.health() !== '');
    expect(store.health()).toBe('storage has not answered for 5 s');
    slow.release();
    await until(() => store.health() === '');
    await store.close();
  });
});

describe('data that was removed while it is in use', () => {
  it('accepts no more writes, because their basis is gone', async () => {
    const store = await openAs(1, driver);
    await commit(store, 'g/things/a', 0, 'x');
    items.clear();
    const answer = await store.commit({ key: 'g/things/b', expected: 0, next: encoded('x') });
    const problem = 'the data has lost the record of its owner, and perhaps more; check it, then start again';
    expect(answer).toMatchObject({
      outcome: 'failed',
      failure: { reason: 'Timeout', message: `the change may or may not have been stored: ${problem}` },
    });
    expect(store.health()).toBe(problem);
    await store.close();
  });
});

describe('a write that the driver has given up', () => {
  it('does no harm when it takes effect much later', async () => {
    const late: (() => unknown)[] = [];
    const impatient: Driver = {
      ...driver,
      setItemRaw(key, value, options) {
        const effect = () => driver.setItemRaw?.(key, value, options);
        if (!key.includes('segments:1-') || late.length > 0) return effect();
        late.push(effect);
        throw new Error('no answer');
      },
    };
    const store = await openAs(1, impatient);
    expect(await store.commit({ key: 'g/things/a', expected: 0, next: encoded('x') })).toMatchObject({
      outcome: 'failed',
      failure: { reason: 'Timeout', message: 'the change may or may not have been stored: no answer' },
    });
    await commit(store, 'g/things/b', 0, 'x');
    for (const effect of late) effect();
    expect([...items.keys()].filter((key) => key.includes('segments:1-'))).toHaveLength(2);
    await commit(store, 'g/things/c', 0, 'x');
    await store.close();
    expect(await keysAfter()).toEqual(['g/things/b', 'g/things/c']);
  });
});

/** Lets callers go one at a time, in an order of its own. Now and then one must wait until much has happened. */
function shuffler(random: () => number): { pace: () => Promise<void>; run: () => Promise<void>; stop: () => void } {
  const waiting: (() => void)[] = [];
  const stalled: (() => void)[] = [];
  let isRunning = true;
  return {
    pace: () => new Promise((resolve) => (random() < 0.03 ? stalled : waiting).push(resolve)),
    async run() {
      while (isRunning) {
        const from = waiting.length === 0 || random() < 0.01 ? stalled : waiting;
        const [next] = from.splice(Math.floor(random() * from.length), 1);
        next?.();
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    stop() {
      isRunning = false;
    },
  };
}

describe('writers that believe each other dead', () => {
  it('lose no acknowledged change, in any order of events', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.integer({ min: 2, max: 4 }), async (seed, writers) => {
        const shared = memory();
        const { pace, run, stop } = shuffler(randomFrom(seed));
        const acknowledged = new Map<string, number>();
        // Nobody waits for heartbeats, nor for a claim to settle.
        const hasty = { heartbeatMs: 60_000, silenceMs: 0, settleMs: 0 };
        const write = async (writer: number): Promise<void> => {
          for (let life = 0; life < 3; life++) {
            const store = await openAs(writer, slowDriver(shared, pace).driver, hasty).catch(onlyInUse);
            for (let count = 0; store && count < 3; count++) {
              const key = `g/things/${writer}-${life}-${count}`;
              const answer = await store.commit({ key, expected: 0, next: encoded('x') });
              if (answer.outcome !== 'committed') break;
              acknowledged.set(key, answer.entry.revision);
            }
            // Some are gone without a message.
            if (life === 1) await store?.close();
          }
        };
        const running = run();
        await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer + 1)));
        stop();
        await running;
        const store = await openAs(99, shared, hasty);
        for (const [key, revision] of acknowledged) expect(store.get(key)?.revision, key).toBe(revision);
        expect(new Set(acknowledged.values()).size).toBe(acknowledged.size);
        await commit(store, 'g/things/last', 0, 'x');
        await store.close();
      }),
      { numRuns: effort('KINDFORGE_FENCE_RUNS', 100, 1000) },
    );
  });
});

function onlyInUse(error: unknown): undefined {
  if (error instanceof Error && /in use|being opened|keep coming/.test(error.message)) return undefined;
  if (error instanceof Error && /taken over/.test(error.message)) return undefined;
  throw error;
}
