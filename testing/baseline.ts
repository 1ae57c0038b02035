/** Restores a store to its state at an earlier moment, by undoing the changes since then. */
import type { Change, Commit, Entry, Key, Store } from '../runtime/contract/index.js';
import { stateOf, toEncodedObject } from '../runtime/storage/index.js';

export interface Baseline {
  /**
   * Restores the store: deletes new objects, and writes deleted or changed ones again, each with a new revision that
   * watches report. Undoes writes of others in the meantime, too, if they came early enough.
   */
  restore(): Promise<void>;
  /** Stops recording changes. */
  close(): void;
}

/** The number of passes over changes that come during the restore. */
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
        // All at once, in one batch of the store.
        await Promise.all(keys.map((key) => restoreKey(store, key, before)));
        // An object with the same content is not a change. Nor is an object that this pass restored.
        for (const key of keys) if (isAsBefore(store.get(key), before.get(key))) changed.delete(key);
      }
    },
    close() {
      if (typeof watching !== 'string') watching.stop();
    },
  };
}

/** Writes an object again, or deletes it. Records its new revision. */
async function restoreKey(store: Store, key: Key, before: Map<Key, Entry>): Promise<void> {
  const wanted = before.get(key);
  let current = store.get(key);
  while (!isAsBefore(current, wanted)) {
    const result: Commit = await store.commit(changeTo(key, current, wanted));
    if (result.outcome === 'failed') throw new Error(`${key} cannot be restored: ${result.failure.message}`);
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
