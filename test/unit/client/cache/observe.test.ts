/** A cache as the user interfaces of others read it: React, Svelte and Vue, each by the contract that it has. */
import { expect, it } from 'vitest';
import { Informer } from '../../../../client/cache/informer.js';
import { observe } from '../../../../client/index.js';
import { scriptedCollection, thing } from '../../../support/scripted-collection.js';

/** A cache that a test fills. */
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

/** Does what `useSyncExternalStore` does: renders anew when the snapshot is another one, and fails when that never ends. */
function renderLikeReact<Value>(
  subscribe: (onChange: () => void) => () => void,
  getSnapshot: () => Value,
): { readonly rendered: Value[]; unmount(): void } {
  const rendered: Value[] = [];
  const render = (): void => {
    const value = getSnapshot();
    if (!Object.is(value, getSnapshot())) throw new Error('the snapshot should be cached');
    if (rendered.length === 0 || !Object.is(rendered.at(-1), value)) rendered.push(value);
  };
  render();
  const unmount = subscribe(render);
  render();
  return { rendered, unmount };
}

it('fits useSyncExternalStore', async () => {
  const { cache, put, remove } = cacheOf('b', 'a');
  const { subscribe, getSnapshot } = observe(cache);
  const { rendered, unmount } = renderLikeReact(subscribe, getSnapshot);
  put('c');
  remove('a');
  // Somebody renders before the change is told of.
  expect(namesOf(getSnapshot())).toEqual(['b', 'c']);
  await nextTurn();
  expect(rendered.map(namesOf)).toEqual([
    ['a', 'b'],
    ['b', 'c'],
  ]);
  unmount();
  put('d');
  await nextTurn();
  expect(rendered).toHaveLength(2);
});

it('is a store as Svelte has them: the value at once and with each change, until that is ended', async () => {
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

it('keeps a shallowRef of Vue up to date', async () => {
  const { cache, put } = cacheOf('a');
  const store = observe(cache);
  let triggered = 0;
  const ref = {
    current: store.getSnapshot(),
    set value(next: ReturnType<typeof store.getSnapshot>) {
      if (!Object.is(this.current, next)) triggered++;
      this.current = next;
    },
  };
  const stop = store.subscribe((value) => (ref.value = value));
  expect(triggered).toBe(0);
  put('b');
  await nextTurn();
  expect(namesOf(ref.current)).toEqual(['a', 'b']);
  expect(triggered).toBe(1);
  stop();
});

it('stays the same while what is selected does, though the cache changes', async () => {
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

it('finds objects by an index, as they are now', () => {
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

it('tells others of a change when a handler throws', () => {
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
