/** A cache as user interfaces read it. */
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

it('tells the value at once and with each change, until that is ended', async () => {
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
