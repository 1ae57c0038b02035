/**
 * Reads the objects of a driver: first all of them into empty memory, later only the objects that differ from memory.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type {
  AttributeReader,
  GroupNumber,
  Key,
  OnLoading,
  SharedDriver,
  SharedRecord,
  SharedState,
} from '../../contract/index.js';
import { inKeyOrder } from '../keys.js';
import { entryMaker } from '../memory/loaded-entries.js';
import type { Replica } from '../memory/replica.js';
import { StoredEntry, toEvent } from '../memory/stored-entry.js';
import { restampBytes } from '../stamp.js';
import { damageOf, type Entries } from './entries.js';

export interface Loading {
  readonly driver: Pick<SharedDriver, 'name' | 'load'>;
  readonly replica: Replica;
  readonly readAttributes: AttributeReader;
  readonly entries: Entries;
  /** Called with the progress of the first loading. */
  readonly onLoading?: OnLoading | undefined;
}

/** The state of the driver at a number, which memory does not show yet. */
export interface StateRead extends SharedState {
  /** True if memory differs. */
  readonly hasChanged: boolean;
  /** Applies it to memory. Returns the entries that may still lack their attributes. */
  apply(): readonly StoredEntry[];
}

/**
 * Reads into empty memory. Makes an entry from each object as it arrives, so no page is kept. Reads the latest state by
 * default. Rejects with a `DriverError`; it is `compacted` if the history of the number is gone.
 */
export async function readFirst(loading: Loading, at: GroupNumber | undefined): Promise<StateRead> {
  const { driver, replica, readAttributes, entries, onLoading } = loading;
  const toEntry = entryMaker(replica, readAttributes);
  const loaded: StoredEntry[] = [];
  const take = (record: SharedRecord): void => {
    const { key, revision, value, locked } = record;
    const bytes = restampBytes(value, revision);
    // Every object that a server stores has a place for its revision.
    const entry = bytes && locked === undefined ? toEntry(key, revision, bytes) : undefined;
    if (entry) loaded.push(entry);
    else entries.noteDamage(damageOf(driver.name, record));
  };
  try {
    const state = await driver.load(at, async ({ records, remaining }) => {
      for (const record of records) take(record);
      if (remaining > 0)
        onLoading?.({ records: loaded.length, share: loaded.length / Math.max(1, loaded.length + remaining) });
      await nextTurn();
    });
    const sorted = inKeyOrder(loaded);
    const apply = (): readonly StoredEntry[] => {
      replica.restoreAll(sorted);
      return readAttributes.isCurrent ? sorted : [];
    };
    return { ...state, hasChanged: sorted.length > 0, apply };
  } catch (error) {
    for (const entry of loaded) replica.slabs.release(entry);
    throw error;
  }
}

/** Reads the objects that differ from memory. Rejects as `readFirst` does. */
export async function readChanged(loading: Loading, at: GroupNumber | undefined): Promise<StateRead> {
  const { driver, replica, entries } = loading;
  const changed: SharedRecord[] = [];
  const present = new Set<Key>();
  const state = await driver.load(at, ({ records }) => {
    for (const record of records) {
      present.add(record.key);
      if (replica.get(record.key)?.revision !== record.revision) changed.push(record);
    }
  });
  const gone = replica.entries().filter(({ key }) => !present.has(key));
  const apply = (): readonly StoredEntry[] => {
    entries.noteOnly(present);
    for (const { key } of gone) remove(replica, key);
    for (const record of changed) restore(loading, record);
    return [];
  };
  return { ...state, hasChanged: changed.length + gone.length > 0, apply };
}

function remove(replica: Replica, key: Key): void {
  const previous = replica.get(key);
  if (!previous) return;
  const { revision, attributes } = previous;
  replica.restore({ type: 'DELETED', revision, entry: new StoredEntry(key, revision, attributes), previous });
}

function restore({ replica, entries }: Loading, record: SharedRecord): void {
  const { key } = record;
  const entry = entries.make(record);
  if (entry) replica.restore(toEvent(entry, false, replica.get(key)));
  else remove(replica, key);
}
