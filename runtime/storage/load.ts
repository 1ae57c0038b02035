/** Fills memory with the content of a backend. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AttributeReader, Damage, Key, OnLoading, Opened, Revision, StoredRecord } from '../contract/index.js';
import { withoutKey } from './encryption/encryption.js';
import { isEncrypted } from './encryption/transformers.js';
import { lockedDamage } from './failures.js';
import { inKeyOrder } from './keys.js';
import { type EntryMaker, entryMaker } from './memory/loaded-entries.js';
import type { Replica } from './memory/replica.js';
import { StoredEntry, toEvent } from './memory/stored-entry.js';
import { updateDigest } from './stamp.js';

export interface Loaded {
  /** Damaged data that is not in memory. */
  readonly damage: readonly Damage[];
  /** The damage that affects the last version of an object. */
  readonly unreadable: readonly Damage[];
  /** The checksum of the state that was loaded. */
  readonly digest: number;
  /** Entries of that state. Some may still lack their attributes. */
  readonly later: readonly StoredEntry[];
}

/**
 * Reads the content of a backend into an empty replica: the state at which its history starts, and the changes after
 * that.
 */
export async function load(
  replica: Replica,
  opened: Opened,
  readAttributes: AttributeReader,
  onLoading: OnLoading = () => {},
): Promise<Loaded> {
  const { checkpoint } = opened;
  const { oldestRevision } = replica;
  const collector = new Collector(replica, oldestRevision, entryMaker(replica, readAttributes));
  let read = 0;
  let turn = Date.now();
  for await (const records of opened.records) {
    if ('key' in records) collector.add(records);
    else for (const record of records) collector.add(record);
    read += 'key' in records ? 1 : records.length;
    if (Date.now() - turn < TURN_MS) continue;
    onLoading({ records: read, share: opened.share?.() });
    await nextTurn();
    turn = Date.now();
  }
  const found = [...collector.damage, ...opened.damage];
  const locked = lockedRevisions(found);
  const damage = found.filter((one) => !collector.isHealed(one, locked));
  const unreadable = damage.filter((one) => collector.isLast(one));
  for (const found of damage) collector.leaveOut(found);
  const settled = collector.settled();
  replica.restoreAll(settled);
  const before = settled.reduce((digest, { revision }) => updateDigest(digest, revision, 0), 0);
  const digest = withLocked(damage, applyAll(replica, collector.changes(), before));
  replica.advance(checkpoint.revision);
  if (damage.length === 0 && digest !== checkpoint.digest) damage.push(MISSING);
  // An incomplete history would be worse than no history.
  if (damage.length > 0 || collector.hasHoles) replica.forgetHistory();
  return { damage, unreadable, digest, later: readAttributes.isCurrent ? settled : [] };
}

/** The time of reading before other work in this process gets a turn, in milliseconds. */
const TURN_MS = 50;

/** A change that is part of the history. */
interface Version {
  readonly entry: StoredEntry;
  readonly deleted: boolean;
}

/** Gathers the records, which may come in any order. */
class Collector {
  readonly damage: Damage[] = [];
  /** Whether the history lacks a change that does not matter for the present state. */
  hasHoles = false;
  #changes: Version[] = [];
  /** The newest version of each key before the history; only its revision if it is a deletion or cannot be read. */
  readonly #settled = new Map<Key, StoredEntry | Revision>();
  readonly #replica: Replica;
  readonly #oldest: Revision;
  readonly #toEntry: EntryMaker;

  constructor(replica: Replica, oldest: Revision, toEntry: EntryMaker) {
    this.#replica = replica;
    this.#oldest = oldest;
    this.#toEntry = toEntry;
  }

  add(record: StoredRecord): void {
    const { revision, deleted } = record;
    if (revision <= this.#oldest) {
      this.#settle(record);
      return;
    }
    const entry = this.#read(record);
    if (entry) this.#changes.push({ entry, deleted });
    else if (deleted && isLocked(record)) this.#endWithoutState(record);
    else this.damage.push(unreadable(record));
  }

  /** Returns the entries of the state that history starts from, in key order. */
  settled(): readonly StoredEntry[] {
    return inKeyOrder([...this.#settled.values()].filter((entry) => typeof entry !== 'number'));
  }

  /** Returns the versions of the history, in the order of their revisions. */
  changes(): readonly Version[] {
    return this.#changes.sort((a, b) => a.entry.revision - b.entry.revision);
  }

  /**
   * Checks whether a damaged record no longer matters: its key was written again, and history starts after it. If it
   * cannot be decrypted, only the last version of its object matters, which is in `last`.
   */
  isHealed({ key, revision, locked }: Damage, last: ReadonlyMap<Key, Revision>): boolean {
    if (revision === undefined) return false;
    const isHistory = revision > this.#oldest;
    const isReplaced = this.#isReplaced(key, revision) || (locked === true && revision < (last.get(key) ?? 0));
    if (!isReplaced || (isHistory && !locked)) return false;
    this.hasHoles ||= isHistory;
    this.#replica.forget(revision);
    return true;
  }

  /** Checks whether a damaged record is the last version of an object: no later one can be read. */
  isLast({ key, revision }: Damage): boolean {
    return key !== '' && revision !== undefined && !this.#isReplaced(key, revision);
  }

  /** Leaves out the versions that a damaged record has replaced, because they are not the state of the key. */
  leaveOut({ key, revision = 0 }: Damage): void {
    const settled = this.#settled.get(key);
    if (settled !== undefined && revisionOf(settled) <= revision) {
      if (typeof settled !== 'number') this.#replica.slabs.release(settled);
      this.#settled.delete(key);
    }
    this.#changes = this.#changes.filter(({ entry }) => {
      const isKept = entry.key !== key || entry.revision > revision;
      if (!isKept) this.#replica.slabs.release(entry);
      return isKept;
    });
  }

  #settle(record: StoredRecord): void {
    const { key, revision, deleted } = record;
    const known = this.#settled.get(key);
    const knownRevision = known === undefined ? 0 : revisionOf(known);
    if (revision < knownRevision) this.#replica.forget(revision);
    // A journal that was interrupted while it moved a record has the record twice.
    if (revision <= knownRevision) return;
    if (known !== undefined && typeof known !== 'number') {
      this.#replica.slabs.release(known);
      this.#replica.forget(known.revision);
    }
    if (deleted) this.#replica.forget(revision);
    const entry = deleted ? undefined : this.#read(record);
    if (!deleted && !entry) this.damage.push(unreadable(record));
    this.#settled.set(key, entry ?? revision);
  }

  #read({ key, revision, bytes, locked }: StoredRecord): StoredEntry | undefined {
    return locked === undefined ? this.#toEntry(key, revision, bytes) : undefined;
  }

  /** Adds a deletion with a last state that cannot be decrypted. No watcher gets that state. */
  #endWithoutState({ key, revision }: StoredRecord): void {
    this.hasHoles = true;
    this.#changes.push({ entry: new StoredEntry(key, revision, { labels: {}, fields: {} }), deleted: true });
  }

  #isReplaced(key: Key, revision: Revision): boolean {
    const settled = this.#settled.get(key);
    if (settled !== undefined && revisionOf(settled) > revision) return true;
    return this.#changes.some(({ entry }) => entry.key === key && entry.revision > revision);
  }
}

const revisionOf = (settled: StoredEntry | Revision): Revision =>
  typeof settled === 'number' ? settled : settled.revision;

/** Applies the changes of the history to the state at its start. Returns the digest of the result. */
function applyAll(replica: Replica, changes: readonly Version[], before: number): number {
  let digest = before;
  let last: Revision = 0;
  for (const { entry, deleted } of changes) {
    const { key, revision } = entry;
    if (revision === last) {
      replica.slabs.release(entry);
      continue;
    }
    last = revision;
    const previous = replica.get(key);
    digest = updateDigest(digest, deleted ? 0 : revision, previous?.revision ?? 0);
    replica.apply(toEvent(entry, deleted, previous));
  }
  return digest;
}

/** Adds the objects that cannot be decrypted to the digest. They are still stored once their encryption key is back. */
function withLocked(damage: readonly Damage[], digest: number): number {
  return [...lockedRevisions(damage).values()].reduce((sum, revision) => updateDigest(sum, revision, 0), digest);
}

/** Returns the revisions of the objects that cannot be decrypted. */
function lockedRevisions(damage: readonly Damage[]): ReadonlyMap<Key, Revision> {
  const revisions = new Map<Key, Revision>();
  for (const { key, revision = 0, locked } of damage) {
    if (locked) revisions.set(key, Math.max(revision, revisions.get(key) ?? 0));
  }
  return revisions;
}

const MISSING: Damage = {
  key: '',
  problem: 'the records do not match the last checkpoint: some are missing or out of date',
  cure: 'restore a snapshot',
};

function unreadable(record: StoredRecord): Damage {
  const { key, revision } = record;
  if (isLocked(record)) return lockedDamage(key, revision, record.locked ?? withoutKey(record.bytes));
  return {
    key,
    revision,
    problem: `the object stored at revision ${revision} is not a JSON object`,
    cure: 'write the object again or restore a snapshot',
  };
}

const isLocked = ({ locked, bytes }: StoredRecord): boolean => locked !== undefined || isEncrypted(bytes);
