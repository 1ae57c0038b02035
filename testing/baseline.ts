/** The state of a store at one moment, to which it can be brought back by undoing what has changed since. */
import type { Change, Commit, Entry, Key, Store } from '../runtime/contract/index.js';
import { stateOf, toEncodedObject } from '../runtime/storage/index.js';

export interface Baseline {
  /**
   * Brings the store back: what came since is deleted, what went or changed is written again, each under a new revision.
   * Watches are told. What others write meanwhile is undone, too, as far as it was written by then.
   */
  restore(): Promise<void>;
  /** Takes no more notice of changes. */
  close(): void;
}

/** How often changes are undone that came while others were. */
const rounds = 10;

export function takeBaseline(store: Store): Baseline {
  const { entries, revision } = stateOf(store);
  const before = new Map(entries.map((entry) => [entry.key, entry]));
  const changed = new Set<Key>();
  const watching = store.watch('', revision, { event: ({ entry }) => void changed.add(entry.key), ended: () => {} });
  return {
    async restore() {
      for (let round = 0; changed.size > 0 && round < rounds; round++) {
        const keys = [...changed];
        changed.clear();
        // All at once, which is one batch of the store.
        await Promise.all(keys.map((key) => restoreKey(store, key, before)));
        // An object that is as it was is no change, and neither is one that has been put back just now.
        for (const key of keys) if (isAsBefore(store.get(key), before.get(key))) changed.delete(key);
      }
    },
    close() {
      if (typeof watching !== 'string') watching.stop();
    },
  };
}

/** An object that was written again has another revision from then on. */
async function restoreKey(store: Store, key: Key, before: Map<Key, Entry>): Promise<void> {
  const wanted = before.get(key);
  let current = store.get(key);
  while (!isAsBefore(current, wanted)) {
    const result: Commit = await store.commit(changeTo(key, current, wanted));
    if (result.outcome === 'failed') throw new Error(`${key} cannot be brought back: ${result.failure.message}`);
    if (result.outcome === 'committed') {
      if (wanted) before.set(key, result.entry);
      return;
    }
    current = result.current;
  }
}

const isAsBefore = (current: Entry | undefined, wanted: Entry | undefined): boolean =>
  current?.revision === wanted?.revision;

function changeTo(key: Key, current: Entry | undefined, wanted: Entry | undefined): Change {
  const expected = current?.revision ?? 0;
  const next = wanted && toEncodedObject(wanted.bytes, wanted.attributes);
  return next ? { key, expected, next } : { key, expected };
}
