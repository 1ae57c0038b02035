/** Invariants of every store. A watch of all changes provides the facts to check. */
import { expect } from 'vitest';
import type { Entry, Key, Revision, Store, StoreEvent } from '../../runtime/contract/index.js';
import { memoizeByObject } from '../../runtime/objects/memoize.js';
import { expectSame } from './expect-same.js';
import { listed, textOf, watching } from './store-objects.js';

type State = Map<Key, Entry>;

/** How many earlier states to compare. */
const SAMPLES = 40;

/** Watches a store from its present revision. */
export class Observer {
  readonly #store: Store;
  readonly #seen: { readonly events: readonly StoreEvent[] };
  /** The state at first, and after each event so far. */
  readonly #states: { readonly revision: Revision; readonly state: State }[];

  constructor(store: Store) {
    this.#store = store;
    const snapshot = listed(store, '');
    this.#states = [
      { revision: snapshot.revision, state: new Map(snapshot.entries.map((entry) => [entry.key, entry])) },
    ];
    this.#seen = watching(store, '', snapshot.revision);
  }

  check(): void {
    this.#replay();
    const describe = memoizeByObject(described);
    expectAccounts(this.#store);
    expectState(this.#store, undefined, this.#states.at(-1)?.state, describe);
    const step = Math.ceil(this.#states.length / SAMPLES);
    for (let at = this.#states.length - 1; at >= 0; at -= step) {
      const past = this.#states[at];
      if (past && past.revision >= this.#store.oldestRevision) {
        expectState(this.#store, past.revision, past.state, describe);
      }
    }
  }

  /** Adds the state after each new event. Fails if events contradict each other. */
  #replay(): void {
    for (const event of this.#seen.events.slice(this.#states.length - 1)) {
      const { revision = 0, state: before = new Map() } = this.#states.at(-1) ?? {};
      expect(event.revision).toBeGreaterThan(revision);
      expect(event.entry.revision).toBe(event.revision);
      expect(event.previous).toEqual(before.get(event.entry.key));
      expect(event.type === 'ADDED').toBe(event.previous === undefined);
      const state = new Map(before);
      if (event.type === 'DELETED') state.delete(event.entry.key);
      else state.set(event.entry.key, event.entry);
      this.#states.push({ revision: event.revision, state });
    }
  }
}

/** Checks the sizes that a store reports, if it reports any. */
function expectAccounts(store: Store): void {
  if (!('statistics' in store)) return;
  const { entries } = listed(store, '');
  const objectBytes = entries.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const { events } = watching(store, '', store.oldestRevision);
  const historyKeys = new Set(events.filter(({ previous }) => previous).map(({ entry }) => entry.key)).size;
  expect(store.statistics).toMatchObject({
    objects: entries.length,
    objectBytes,
    historyEvents: events.length,
    historyKeys,
  });
}

function expectState(
  store: Store,
  at: Revision | undefined,
  state: State | undefined,
  describe: (entry: Entry) => string,
): void {
  const wanted = inOrder([...(state?.values() ?? [])]);
  const snapshot = listed(store, '', at === undefined ? {} : { at });
  expectSame(snapshot.entries.map(describe), wanted.map(describe));
  expect(snapshot).toMatchObject({ revision: at ?? store.revision, more: false, remaining: 0 });
  if (at !== undefined) return;
  expect(store.count('')).toBe(wanted.length);
  expectSame(
    wanted.map(({ key }) => store.get(key)),
    wanted,
  );
}

/** Sorts entries by the bytes of their keys. */
const inOrder = (entries: readonly Entry[]): readonly Entry[] =>
  entries
    .map((entry) => ({ entry, bytes: Buffer.from(entry.key) }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ entry }) => entry);

function described(entry: Entry): string {
  const text = textOf(entry);
  const { resourceVersion } = JSON.parse(text).metadata;
  if (resourceVersion !== String(entry.revision)) expect(resourceVersion).toBe(String(entry.revision));
  return `${entry.key} ${entry.revision} ${text} ${JSON.stringify(entry.attributes)}`;
}
