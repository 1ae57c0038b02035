/** The versions that were replaced or deleted within the history, by key. */
import type { Key, Revision } from '../../contract/index.js';
import { OrderedIndex } from '../collections/ordered-index.js';
import type { StoredEntry } from './stored-entry.js';
import type { StoredEvent } from './stored-event.js';

/** A key with the changes that ended a version of it (updates and deletions), oldest first. */
export interface PastKey {
  readonly key: Key;
  readonly endings: StoredEvent[];
}

export class PastVersions {
  readonly keys = new OrderedIndex<PastKey>();

  /** Takes note of a change that ended a version. */
  add(event: StoredEvent): void {
    const { key } = event.entry;
    const past = this.keys.get(key);
    if (past) past.endings.push(event);
    else this.keys.put({ key, endings: [event] });
  }

  /** Drops the oldest ending of a key. */
  drop(key: Key): void {
    const past = this.keys.get(key);
    past?.endings.shift();
    if (past?.endings.length === 0) this.keys.remove(key);
  }
}

/** The version that a key had at a revision, out of its past and its live version; undefined where it did not exist. */
export function versionAt(
  revision: Revision,
  past: PastKey | undefined,
  live: StoredEntry | undefined,
): StoredEntry | undefined {
  const version = endingAfter(past?.endings ?? [], revision)?.previous ?? live;
  return version && version.revision <= revision ? version : undefined;
}

/** The first ending after a revision. */
function endingAfter(endings: readonly StoredEvent[], revision: Revision): StoredEvent | undefined {
  let low = 0;
  let high = endings.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((endings[middle]?.revision ?? 0) <= revision) low = middle + 1;
    else high = middle;
  }
  return endings[low];
}
