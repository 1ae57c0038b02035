/** A change as the store itself holds it. */
import type { StoreEvent } from '../../contract/index.js';
import type { StoredEntry } from './stored-entry.js';

/** An event of entries that the store holds. */
export interface StoredEvent extends StoreEvent {
  readonly entry: StoredEntry;
  readonly previous?: StoredEntry;
}

/** The change that a version makes to what was there before. */
export function toEvent(entry: StoredEntry, deleted: boolean, previous: StoredEntry | undefined): StoredEvent {
  const { revision } = entry;
  if (!previous) return { type: deleted ? 'DELETED' : 'ADDED', revision, entry };
  return { type: deleted ? 'DELETED' : 'MODIFIED', revision, entry, previous };
}
