import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Informer } from '../../../../client/cache/informer.js';
import { observe, openCache } from '../../../../client/index.js';
import { scriptedCollection, thing } from '../../../support/scripted-collection.js';

/** Makes a cache that a test fills. */
function cacheOf(...names: string[]) {
  const { client } = scriptedCollection([], '1', [{ rest: 'silence' }]);
  const cache = new Informer({ client, onError: () => {}, indexes: { byColour: colourOf } });
  let revision = 1;
  const put = (name: string, labels: Record<string, string> = {}): void =>
    cache.learn(thing(name, String(++revision), labels));
  for (const name of names) put(name);
  return { cache, put, remove: (name: string) => cache.learnAbsent(name, String(++revision)) };
}

const colourOf = ({ metadata: { labels = {} } }: ReturnType<typeof thing>): string[] =>
  labels.colour === undefined ? [] : [labels.colour];

const nextTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
const namesOf = (objects: readonly ReturnType<typeof thing>[]) => objects.map(({ metadata }) => metadata.name);

it('reports the value at once and with each change, until it is stopped', async () => {
  const { cache, put } = cacheOf('a');
  const store = observe(cache);
  const seen: (readonly (string | undefined)[])[] = [];
  const again: unknown[] = [];
  const unsubscribe = store.subscribe((objects) => seen.push(namesOf(objects)));
  store.subscribe((objects) => again.push(objects));
  expect(seen).toEqual([['a']]);
  put('b');
  put('c');
  await nextTurn();
  expect(seen).toEqual([['a'], ['a', 'b', 'c']]);
  unsubscribe();
  put('d');
  await nextTurn();
  expect(seen).toHaveLength(2);
  expect(again).toHaveLength(3);
});

it('does not change while the selected objects are the same, even if the cache changes', async () => {
  const { cache, put } = cacheOf();
  put('a', { colour: 'red' });
  const red = observe(cache, (objects) => objects.list({ labelSelector: 'colour=red' }));
  const one = observe(cache, (objects) => objects.get('a'));
  const before = red.getSnapshot();
  let told = 0;
  red.subscribe(() => told++);
  one.subscribe(() => told++);
  put('b', { colour: 'blue' });
  await nextTurn();
  expect(red.getSnapshot()).toBe(before);
  expect(told).toBe(2);
  put('a', { colour: 'red', more: '1' });
  await nextTurn();
  expect(red.getSnapshot()).not.toBe(before);
  expect(told).toBe(4);
});

it('finds objects by an index, in their current state', () => {
  const { cache, put, remove } = cacheOf();
  put('a', { colour: 'red' });
  put('b', { colour: 'red' });
  put('c');
  expect(namesOf(cache.byIndex('byColour', 'red')).sort()).toEqual(['a', 'b']);
  put('a', { colour: 'blue' });
  remove('b');
  expect(cache.byIndex('byColour', 'red')).toEqual([]);
  expect(namesOf(cache.byIndex('byColour', 'blue'))).toEqual(['a']);
});

it('reports a change to other handlers when one throws', () => {
  const { client } = scriptedCollection([], '1', [{ rest: 'silence' }]);
  const errors: unknown[] = [];
  const cache = new Informer({ client, onError: (error) => errors.push(error) });
  const seen: string[] = [];
  cache.onChange(() => {
    throw new Error('no');
  });
  cache.onChange(({ type }) => seen.push(type));
  cache.learn(thing('a', '2'));
  expect(seen).toEqual(['added']);
  expect(errors).toEqual([new Error('no')]);
});

it('calls a handler as often as it was added, and ends each by itself', () => {
  const { cache, put } = cacheOf();
  const handler = vi.fn();
  const stops = [cache.onChange(handler), cache.onChange(handler, { fromNow: true })];
  put('a');
  expect(handler).toHaveBeenCalledTimes(2);
  stops[1]?.();
  put('b');
  expect(handler).toHaveBeenCalledTimes(3);
});

it('still reports existing objects to a handler that throws', () => {
  const { client } = scriptedCollection([], '1', [{ rest: 'silence' }]);
  const errors: unknown[] = [];
  const cache = new Informer({ client, onError: (error) => errors.push(error) });
  cache.learn(thing('a', '2'));
  const handler = vi.fn(() => {
    throw new Error('no');
  });
  cache.onChange(handler);
  cache.learn(thing('b', '3'));
  expect(handler).toHaveBeenCalledTimes(2);
  expect(errors).toHaveLength(2);
});

it('finds all objects by an index except one for which its function throws', () => {
  const { client } = scriptedCollection([], '1', [{ rest: 'silence' }]);
  const errors: unknown[] = [];
  const indexes = {
    byColour: ({ metadata: { labels = {} } }: ReturnType<typeof thing>) => {
      if (labels.colour === undefined) throw new Error('colourless');
      return [labels.colour];
    },
  };
  const cache = new Informer({ client, indexes, onError: (error) => errors.push(error) });
  const handler = vi.fn();
  cache.onChange(handler);
  cache.learn(thing('a', '2'));
  cache.learn(thing('b', '3', { colour: 'red' }));
  cache.learn(thing('a', '4', { colour: 'red' }));
  expect(namesOf(cache.byIndex('byColour', 'red'))).toEqual(['b', 'a']);
  expect(handler).toHaveBeenCalledTimes(3);
  expect(errors).toContainEqual(new Error('colourless'));
});

describe('errors that nobody handles', () => {
  const uncaught = vi.fn();
  beforeEach(() => {
    vi.stubGlobal('queueMicrotask', (act: () => void) => Promise.resolve().then(act).catch(uncaught));
  });
  afterEach(() => {
    uncaught.mockReset();
    vi.unstubAllGlobals();
  });

  it('of subscribers and selections are thrown separately, and the others get the change', async () => {
    const { cache, put } = cacheOf('a');
    let isBroken = false;
    const store = observe(cache, ({ size }) => {
      if (isBroken) throw new Error('selection');
      return size;
    });
    const seen: number[] = [];
    store.subscribe((size) => {
      if (size > 1) throw new Error('subscriber');
    });
    store.subscribe((size) => seen.push(size));
    put('b');
    await nextTurn();
    expect(seen).toEqual([1, 2]);
    expect(uncaught.mock.calls).toEqual([[new Error('subscriber')]]);
    isBroken = true;
    put('c');
    await nextTurn();
    expect(uncaught.mock.lastCall).toEqual([new Error('selection')]);
    isBroken = false;
    put('d');
    await nextTurn();
    expect(seen).toEqual([1, 2, 4]);
  });

  it('at the first call leave nobody subscribed', async () => {
    const { cache, put } = cacheOf('a');
    const store = observe(cache);
    const run = vi.fn(() => {
      throw new Error('no');
    });
    expect(() => store.subscribe(run)).toThrow('no');
    put('b');
    await nextTurn();
    expect(run).toHaveBeenCalledOnce();
    expect(uncaught).not.toHaveBeenCalled();
  });

  it('of handlers of a cache are thrown separately', async () => {
    const { client } = scriptedCollection([thing('a', '1')], '1', [{ rest: 'silence' }]);
    const cache = openCache(client, { stream: false });
    cache.onChange(() => {
      throw new Error('handler');
    });
    await cache.synced;
    await nextTurn();
    expect(uncaught.mock.calls).toEqual([[new Error('handler')]]);
    await cache.close();
  });
});
