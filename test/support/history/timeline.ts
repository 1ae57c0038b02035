/** The order of all changes in a history, built from what its clients saw. */
import type { Key, Revision } from '../../../runtime/contract/index.js';
import type { History, Violation, WriteRecord } from './records.js';

/** The value of a key from a revision on. */
export interface Change {
  readonly revision: Revision;
  readonly key: Key;
  /** Absent for a deletion. */
  readonly value?: string;
}

export class Timeline {
  /** Revisions about which clients contradict each other. */
  readonly violations: Violation[] = [];
  /** By ascending revision. */
  readonly changes: readonly Change[];
  readonly #byRevision = new Map<Revision, Change>();
  readonly #byKey = new Map<Key, Change[]>();
  readonly #watched: (readonly [after: Revision, to: Revision])[];
  readonly #unknownDeletions: Set<Key>;

  constructor(history: History) {
    for (const write of history.writes) this.#addWrite(write);
    for (const { found } of history.gets) if (found) this.#add(found);
    for (const { entries } of history.lists) for (const entry of entries) this.#add(entry);
    for (const { changes } of history.watches) {
      for (const { type, key, revision, value } of changes) {
        this.#add(type === 'DELETED' ? { key, revision } : { key, revision, value });
      }
    }
    this.changes = [...this.#byRevision.values()].sort((a, b) => a.revision - b.revision);
    for (const change of this.changes) {
      const ofKey = this.#byKey.get(change.key);
      if (ofKey) ofKey.push(change);
      else this.#byKey.set(change.key, [change]);
    }
    this.#watched = history.watches.map(({ from, changes }) => [from, changes.at(-1)?.revision ?? from] as const);
    this.#watched.sort(([a], [b]) => a - b);
    const unknown = history.writes.filter(({ value, outcome }) => value === undefined && outcome === 'unknown');
    this.#unknownDeletions = new Set(unknown.map(({ key }) => key));
  }

  /** Lists the changes after a revision, up to and including another. */
  between(after: Revision, to: Revision): readonly Change[] {
    return this.changes.slice(countUpTo(this.changes, after), countUpTo(this.changes, to));
  }

  /** Finds the last change of a key up to and including a revision. */
  lastOf(key: Key, to: Revision): Change | undefined {
    const changes = this.#byKey.get(key) ?? [];
    return changes[countUpTo(changes, to) - 1];
  }

  /** Finds the change of a key that follows a revision. */
  nextOf(key: Key, after: Revision): Change | undefined {
    const changes = this.#byKey.get(key) ?? [];
    return changes[countUpTo(changes, after)];
  }

  /** Reports whether an unseen deletion of the key between two revisions is possible. */
  mayHideDeletion(key: Key, after: Revision, before: Revision): boolean {
    if (!this.#unknownDeletions.has(key)) return false;
    let known = after;
    for (const [from, to] of this.#watched) if (from <= known) known = Math.max(known, to);
    return known < before;
  }

  #addWrite({ key, value, outcome }: WriteRecord): void {
    if (typeof outcome !== 'number') return;
    this.#add(value === undefined ? { key, revision: outcome } : { key, revision: outcome, value });
  }

  #add({ key, revision, value }: Change): void {
    const known = this.#byRevision.get(revision);
    if (!known) this.#byRevision.set(revision, value === undefined ? { key, revision } : { key, revision, value });
    else if (known.key !== key || known.value !== value) {
      const message = `${revision} is both ${describe(known)} and ${describe({ key, revision, value })}`;
      this.violations.push({ rule: 'repeated revision', message });
    }
  }
}

/** Counts the changes up to a revision. */
function countUpTo(changes: readonly Change[], revision: Revision): number {
  let [low, high] = [0, changes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((changes[middle]?.revision ?? 0) <= revision) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Describes a change in words. */
export const describe = ({ key, revision, value }: Change): string =>
  value === undefined ? `the deletion of ${key} at ${revision}` : `${key} = ${value} at ${revision}`;
