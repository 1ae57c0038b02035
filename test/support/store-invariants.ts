/** Invariants of every store. A watch of all changes provides the facts to check. */
import { expect } from 'vitest';
import type { Entry, Key, Revision, Store, StoreEvent } from '../../runtime/contract/index.js';
import { listed, textOf, watching } from './store-objects.js';

type State = Map<Key, Entry>;

/** How many earlier states to compare. */
const SAMPLES = 40;

/** Watches a store from its present revision. */
export class Observer {
  readonly #store: Store;
  readonly #from: Revision;
  readonly #base: readonly Entry[];
  readonly #seen: { readonly events: readonly StoreEvent[] };

  constructor(store: Store) {
    this.#store = store;
    const snapshot = listed(store, '');
    this.#from = snapshot.revision;
    this.#base = snapshot.entries;
    this.#seen = watching(store, '', snapshot.revision);
  }

  check(): void {
    const states = this.#replay();
    expectAccounts(this.#store);
    expectState(this.#store, undefined, states.at(-1)?.state);
    const step = Math.ceil(states.length / SAMPLES);
    for (let at = states.length - 1; at >= 0; at -= step) {
      const past = states[at];
      if (past && past.revision >= this.#store.oldestRevision) expectState(this.#store, past.revision, past.state);
    }
  }

  /** Returns the state after each event. Fails if events contradict each other. */
  #replay(): { readonly revision: Revision; readonly state: State }[] {
    let state: State = new Map(this.#base.map((entry) => [entry.key, entry]));
    const states = [{ revision: this.#from, state }];
    let revision = this.#from;
    for (const event of this.#seen.events) {
      expect(event.revision).toBeGreaterThan(revision);
      revision = event.revision;
      expect(event.entry.revision).toBe(revision);
      expect(event.previous).toEqual(state.get(event.entry.key));
      expect(event.type === 'ADDED').toBe(event.previous === undefined);
      state = new Map(state);
      if (event.type === 'DELETED') state.delete(event.entry.key);
      else state.set(event.entry.key, event.entry);
      states.push({ revision, state });
    }
    return states;
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

function expectState(store: Store, at: Revision | undefined, state: State | undefined): void {
  const wanted = [...(state?.values() ?? [])].sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)));
  const snapshot = listed(store, '', at === undefined ? {} : { at });
  expect(snapshot.entries.map(describe)).toEqual(wanted.map(describe));
  expect(snapshot).toMatchObject({ revision: at ?? store.revision, more: false, remaining: 0 });
  if (at !== undefined) return;
  expect(store.count('')).toBe(wanted.length);
  for (const entry of wanted) expect(store.get(entry.key)).toEqual(entry);
}

function describe(entry: Entry): string {
  expect(JSON.parse(textOf(entry)).metadata.resourceVersion).toBe(String(entry.revision));
  return `${entry.key} ${entry.revision} ${textOf(entry)} ${JSON.stringify(entry.attributes)}`;
}
