/** Followers of the store, with faults in their sinks, in the store, and in objects that are not readable yet. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FollowedPart, FollowSink, Key, Store, WatchSink } from '../../../../runtime/contract/index.js';
import { staleAfterMs } from '../../../../runtime/server/follower.js';
import { Followers } from '../../../../runtime/server/followers.js';
import { memoryBackend, openStore } from '../../../../runtime/storage/index.js';

const attributes = { labels: {}, fields: {} };
const openMemory = () => openStore({ backend: memoryBackend(), readAttributes: () => attributes });

let store: Awaited<ReturnType<typeof openMemory>>;
let now = 0;
let errors: string[] = [];
let followers: Followers;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  store = await openMemory();
  now = 0;
  errors = [];
  followers = followersOf(store);
});
afterEach(async () => {
  vi.useRealTimers();
  await store.close();
});

const followersOf = (of: ConstructorParameters<typeof Followers>[0]['store']) =>
  new Followers({ store: of, now: () => now, onError: (problem, error) => errors.push(`${problem}: ${error}`) });

async function put(key: Key, value = ''): Promise<void> {
  const text = JSON.stringify({ metadata: { resourceVersion: '' }, value });
  const revisionAt = text.indexOf('""') + 1;
  const expected = store.get(key)?.revision ?? 0;
  const { outcome } = await store.commit({ key, expected, next: { text, revisionAt, attributes } });
  expect(outcome).toBe('committed');
}

const remove = (key: Key) => store.commit({ key, expected: store.get(key)?.revision ?? 0 });

/** Keeps the objects of one or more prefixes; `fault` may throw before an object is put, `faults` before anything else. */
class Keeper implements FollowSink {
  readonly held = new Map<Key, string>();
  readonly told: string[] = [];
  fault: (key: Key) => void = () => {};
  removeFault: (key: Key) => void = () => {};
  resetFault: () => void = () => {};
  readonly parts: readonly FollowedPart[];

  constructor(...prefixes: readonly string[]) {
    this.parts = prefixes.map((prefix) => ({
      prefix,
      put: ({ key, bytes }) => {
        this.told.push(key);
        // Half of the work is done when the fault strikes.
        this.held.set(key, 'half');
        this.fault(key);
        this.held.set(key, JSON.parse(Buffer.from(bytes).toString()).value);
      },
      remove: (key) => {
        this.told.push(`-${key}`);
        this.removeFault(key);
        this.held.delete(key);
      },
    }));
  }

  reset(): void {
    this.told.push('reset');
    this.resetFault();
    this.held.clear();
  }

  complete(): void {
    this.told.push('complete');
  }

  closed(): void {
    this.told.push('closed');
  }
}

/** Returns a function that throws so many times. */
function failing(times: number, only?: Key): (key?: Key) => void {
  let left = times;
  return (key) => {
    if ((only === undefined || key === only) && left-- > 0) throw new Error('injected');
  };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('a follower', () => {
  it('reports all objects before it returns, and each change before the writer gets an answer', async () => {
    await put('g/lamps/a', '1');
    await put('g/other/x');
    const keeper = new Keeper('g/lamps/');
    followers.follow('test', keeper);
    expect(keeper.told).toEqual(['reset', 'g/lamps/a', 'complete']);
    await put('g/lamps/b', '2');
    await remove('g/lamps/a');
    expect([...keeper.held]).toEqual([['g/lamps/b', '2']]);
    expect([followers.problem(), followers.states()]).toEqual(['', [{ name: 'test', behindMs: 0, errors: 0 }]]);
  });

  it('receives nothing after it has been stopped', async () => {
    const keeper = new Keeper('g/lamps/');
    followers.follow('test', keeper).stop();
    await put('g/lamps/a');
    expect(keeper.told).toEqual(['reset', 'complete']);
  });

  it('reports the end of the store to its sink, and does not count as behind then', async () => {
    const keeper = new Keeper('g/lamps/', 'g/shades/');
    followers.follow('test', keeper);
    await store.close();
    expect(keeper.told).toEqual(['reset', 'complete', 'closed']);
    expect(followers.problem()).toBe('');
  });
});

describe('a sink that fails once', () => {
  it('gets everything again, so that no work stays half done', async () => {
    await put('g/lamps/a', '1');
    const keeper = new Keeper('g/lamps/', 'g/shades/');
    followers.follow('test', keeper);
    keeper.fault = failing(1);
    await put('g/lamps/b', '2');
    await put('g/shades/c', '3');
    expect([...keeper.held]).toEqual([
      ['g/lamps/a', '1'],
      ['g/shades/c', '3'],
    ]);
    expect(errors).toEqual([
      'the follower test has failed at g/lamps/b, and starts again from a fresh list: Error: injected',
    ]);
    now = 2000;
    expect(followers.problem()).toBe('test is 2 s behind the store, because of g/lamps/b');
    expect(followers.states()).toEqual([{ name: 'test', behindMs: 2000, errors: 1 }]);
    await pass(100);
    expect(keeper.told.slice(-5)).toEqual(['reset', 'g/lamps/a', 'g/lamps/b', 'g/shades/c', 'complete']);
    expect(keeper.held.get('g/lamps/b')).toBe('2');
    expect(followers.states()).toEqual([{ name: 'test', behindMs: 0, errors: 1 }]);
    await put('g/lamps/d', '4');
    expect(keeper.held.get('g/lamps/d')).toBe('4');
  });

  it('removes an object in the end if its first try failed', async () => {
    await put('g/lamps/a');
    const keeper = new Keeper('g/lamps/');
    followers.follow('test', keeper);
    keeper.removeFault = failing(2);
    await remove('g/lamps/a');
    expect(keeper.held.has('g/lamps/a')).toBe(true);
    await pass(100);
    expect([keeper.held.size, followers.problem()]).toEqual([0, '']);
  });

  it('starts again even if it fails at the very start, or in a reset', async () => {
    await put('g/lamps/a', '1');
    const keeper = new Keeper('g/lamps/');
    keeper.fault = failing(1);
    keeper.resetFault = failing(1);
    const following = followers.follow('test', keeper);
    expect(followers.problem()).toContain('test is');
    await pass(100);
    expect([followers.problem(), following.isStale]).toEqual(['', false]);
    expect([...keeper.held]).toEqual([['g/lamps/a', '1']]);
  });
});

describe('an object that a sink always fails on', () => {
  it('is left out and named, and does not stop the others', async () => {
    await put('g/lamps/a', '1');
    const keeper = new Keeper('g/lamps/');
    keeper.fault = failing(Number.POSITIVE_INFINITY, 'g/lamps/bad');
    const following = followers.follow('test', keeper);
    await put('g/lamps/bad');
    await put('g/lamps/b', '2');
    await pass(100);
    now = staleAfterMs + 1000;
    expect([...keeper.held.keys()]).toEqual(['g/lamps/a', 'g/lamps/b']);
    expect(followers.problem()).toBe('test is 31 s behind the store, because of g/lamps/bad');
    expect(following.isStale).toBe(false);
    await put('g/lamps/c');
    await put('g/lamps/bad', 'changed');
    expect([...keeper.held.keys()]).toEqual(['g/lamps/a', 'g/lamps/b', 'g/lamps/c']);
  });

  it('is tried at ever longer intervals, and at once when it has changed or was removed', async () => {
    const keeper = new Keeper('g/lamps/');
    keeper.fault = failing(Number.POSITIVE_INFINITY, 'g/lamps/bad');
    followers.follow('test', keeper);
    await put('g/lamps/bad');
    const resets = () => keeper.told.filter((one) => one === 'reset').length;
    await pass(100 + 200 + 400 + 800);
    expect(resets()).toBe(5);
    await pass(600_000);
    expect(resets()).toBeLessThan(20);
    await remove('g/lamps/bad');
    await pass(100);
    expect(followers.problem()).toBe('');
  });
});

describe('a sink that cannot be brought up to date', () => {
  it('becomes stale after 30 seconds, and recovers with the next full state', async () => {
    await put('g/lamps/a');
    const keeper = new Keeper('g/lamps/');
    const following = followers.follow('test', keeper);
    keeper.resetFault = () => {
      throw new Error('injected');
    };
    keeper.fault = failing(1);
    await put('g/lamps/b');
    await pass(1000);
    now = staleAfterMs;
    expect(following.isStale).toBe(false);
    now = staleAfterMs + 1;
    expect(following.isStale).toBe(true);
    keeper.resetFault = () => {};
    await pass(5000);
    expect([following.isStale, followers.problem()]).toEqual([false, '']);
  });

  it('does not delay the next try because of one failing object', async () => {
    const keeper = new Keeper('g/lamps/');
    const bad = failing(Number.POSITIVE_INFINITY, 'g/lamps/bad');
    keeper.fault = bad;
    const following = followers.follow('test', keeper);
    await put('g/lamps/bad');
    await pass(3_600_000);
    const once = failing(1, 'g/lamps/b');
    keeper.fault = (key) => {
      bad(key);
      once(key);
    };
    await put('g/lamps/b');
    await pass(5000);
    now = staleAfterMs + 1;
    expect([following.isStale, keeper.held.has('g/lamps/b')]).toEqual([false, true]);
  });

  it('gets fresh lists even while write after write fails', async () => {
    const keeper = new Keeper('g/lamps/');
    followers.follow('test', keeper);
    keeper.fault = failing(Number.POSITIVE_INFINITY);
    for (let i = 0; i < 20; i++) {
      await put(`g/lamps/${i}`);
      await pass(50);
    }
    // Failing writes do not delay the fresh list.
    expect(keeper.told.filter((one) => one === 'reset').length).toBeGreaterThan(2);
  });
});

describe('a store between two states', () => {
  it('is asked until it confirms, and the sink keeps its objects until then', async () => {
    await put('g/lamps/a');
    const unconfirmed = vi.fn(store.confirm.bind(store));
    let watch: WatchSink | undefined;
    const losing: Pick<Store, 'list' | 'watch' | 'confirm'> = {
      list: (prefix, options) => store.list(prefix, options),
      watch: (prefix, from, sink) => {
        watch = sink;
        return store.watch(prefix, from, sink);
      },
      confirm: unconfirmed,
    };
    const list = vi.spyOn(losing, 'list');
    unconfirmed
      .mockImplementationOnce(() => ({ reason: 'ServiceUnavailable', message: 'not yet' }))
      .mockImplementationOnce(() => {
        throw new Error('injected');
      });
    const keeper = new Keeper('g/lamps/');
    const following = followersOf(losing).follow('test', keeper);
    watch?.ended('compacted');
    await pass(0);
    expect(keeper.told).toEqual(['reset', 'g/lamps/a', 'complete']);
    now = staleAfterMs + 1;
    expect(following.isStale).toBe(true);
    list.mockImplementationOnce(() => {
      throw new Error('injected');
    });
    await pass(100 + 100 + 200);
    expect(keeper.told.slice(3)).toEqual(['reset', 'g/lamps/a', 'complete']);
    expect([following.isStale, errors.length]).toEqual([false, 2]);
  });

  it('gives the whole new state after a restore', async () => {
    await put('g/lamps/a');
    const keeper = new Keeper('g/lamps/');
    followers.follow('test', keeper);
    await store.restore([], store.revision);
    await pass(100);
    expect(keeper.held.size).toBe(0);
    await put('g/lamps/b');
    expect([...keeper.held.keys()]).toEqual(['g/lamps/b']);
  });
});

describe('an object that cannot be read yet', () => {
  it('is reported with all others once it can be read, even if loading fails at first', async () => {
    let load: (() => Promise<void>) | undefined = () => Promise.reject(new Error('injected'));
    const keeper = new Keeper('g/lamps/');
    const parts = keeper.parts.map((part) => ({ ...part, ready: () => load?.() }));
    followers.follow('test', { parts, reset: () => keeper.reset() });
    await put('g/lamps/a', '1');
    await pass(0);
    expect([keeper.held.size, errors.length]).toEqual([0, 1]);
    load = async () => {
      load = undefined;
    };
    await pass(100);
    expect([[...keeper.held], followers.problem()]).toEqual([[['g/lamps/a', '1']], '']);
  });
});
