/** Shows a cache in real user interfaces: React, Svelte and Vue. */
import { Window } from 'happy-dom';
import { act, createElement, StrictMode, useSyncExternalStore } from 'react';
import { derived, get } from 'svelte/store';
import { expect, it, onTestFinished, vi } from 'vitest';
import { effectScope, onScopeDispose, shallowRef, watchSyncEffect } from 'vue';
import { Informer } from '../../client/cache/informer.js';
import { observe } from '../../client/index.js';
import { scriptedCollection, thing } from '../../test/support/scripted-collection.js';

/** Makes a cache that a test fills, and an observable list of its names. */
function shownCache() {
  const { client } = scriptedCollection([], '1', [{ rest: 'silence' }]);
  const cache = new Informer({ client, onError: () => {} });
  let revision = 1;
  const put = (name: string): void => cache.learn(thing(name, String(++revision)));
  const remove = (name: string): void => cache.learnAbsent(name, String(++revision));
  put('a');
  let handlers = 0;
  const onChange = cache.onChange.bind(cache);
  vi.spyOn(cache, 'onChange').mockImplementation((...args) => {
    handlers++;
    const stop = onChange(...args);
    return () => {
      handlers--;
      stop();
    };
  });
  return { store: observe(cache), put, remove, handlers: () => handlers };
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
const namesOf = (objects: readonly ReturnType<typeof thing>[]): string =>
  objects.map(({ metadata }) => metadata.name).join();

it('is shown by useSyncExternalStore of React', async () => {
  const window = new Window();
  onTestFinished(async () => {
    vi.unstubAllGlobals();
    await window.happyDOM.close();
  });
  const { document, navigator } = window;
  for (const [name, value] of Object.entries({ window, document, navigator, IS_REACT_ACT_ENVIRONMENT: true })) {
    vi.stubGlobal(name, value);
  }
  // React looks for a browser when it is loaded.
  const { createRoot } = await import('react-dom/client');
  const { store, put, remove, handlers } = shownCache();
  const rendered: string[] = [];
  const List = () => {
    const objects = useSyncExternalStore(store.subscribe, store.getSnapshot);
    rendered.push(namesOf(objects));
    return namesOf(objects);
  };
  const place = globalThis.document.createElement('div');
  const root = createRoot(place);
  await act(() => root.render(createElement(StrictMode, undefined, createElement(List))));
  expect(place.textContent).toBe('a');
  expect(handlers()).toBe(1);
  await act(async () => {
    put('b');
    put('c');
    remove('a');
    await nextTurn();
  });
  expect(place.textContent).toBe('b,c');
  expect(new Set(rendered)).toEqual(new Set(['a', 'b,c']));
  await act(() => root.unmount());
  const before = rendered.length;
  put('d');
  await nextTurn();
  expect(rendered).toHaveLength(before);
  expect(handlers()).toBe(0);
});

it('is a store of Svelte', async () => {
  const { store, put, handlers } = shownCache();
  expect(namesOf(get(store))).toBe('a');
  const shown: string[] = [];
  const stop = derived(store, namesOf).subscribe((names) => shown.push(names));
  put('b');
  put('c');
  await nextTurn();
  stop();
  put('d');
  await nextTurn();
  expect(shown).toEqual(['a', 'a,b,c']);
  expect(handlers()).toBe(0);
});

it('keeps a shallowRef of Vue up to date', async () => {
  const { store, put } = shownCache();
  const shown: string[] = [];
  const scope = effectScope();
  scope.run(() => {
    const list = shallowRef(store.getSnapshot());
    onScopeDispose(
      store.subscribe((next) => {
        list.value = next;
      }),
    );
    watchSyncEffect(() => shown.push(namesOf(list.value)));
  });
  put('b');
  await nextTurn();
  scope.stop();
  put('c');
  await nextTurn();
  expect(shown).toEqual(['a', 'a,b']);
});
