/** Fills memory from what a backend has kept. */
import type { AttributeReader, Damage, Key, Opened, Revision, StoredRecord } from '../contract/index.js';
import { updateDigest } from './digest.js';
import { attributesOf } from './memory/decoded-object.js';
import type { Replica } from './memory/replica.js';
import { StoredEntry } from './memory/stored-entry.js';
import { toEvent } from './memory/stored-event.js';

export interface Loaded {
  /** Damaged data, which was left out. */
  readonly damage: readonly Damage[];
  /** The checksum of the state that was loaded. */
  readonly digest: number;
}

/**
 * Reads all that a backend has kept into an empty replica: the state that its history starts from, and the changes
 * after that.
 */
export async function load(replica: Replica, opened: Opened, readAttributes: AttributeReader): Promise<Loaded> {
  const { checkpoint } = opened;
  const { oldestRevision } = replica;
  const collector = new Collector(replica, oldestRevision, readAttributes);
  for await (const record of opened.records) collector.add(record);
  const damage = [...collector.damage, ...opened.damage].filter((found) => !collector.isHealed(found));
  for (const found of damage) collector.leaveOut(found);
  const digest = fold(replica, collector.versions(), oldestRevision);
  replica.advance(checkpoint.revision);
  if (damage.length === 0 && digest !== checkpoint.digest) damage.push(MISSING);
  // A history with holes is worse than none.
  if (damage.length > 0) replica.forgetHistory();
  return { damage, digest };
}

/** A version of a key, or its end. */
interface Version {
  readonly entry: StoredEntry;
  readonly deleted: boolean;
}

/** Gathers the records, which come in any order. */
class Collector {
  readonly damage: Damage[] = [];
  #versions: Version[] = [];
  /** By key, the newest revision seen that is not part of the history. Older ones are of no use. */
  readonly #settled = new Map<Key, Revision>();
  readonly #replica: Replica;
  readonly #oldest: Revision;
  readonly #readAttributes: AttributeReader;

  constructor(replica: Replica, oldest: Revision, readAttributes: AttributeReader) {
    this.#replica = replica;
    this.#oldest = oldest;
    this.#readAttributes = readAttributes;
  }

  add(record: StoredRecord): void {
    const { key, revision, deleted } = record;
    if (revision < this.#settledAt(key)) {
      this.#replica.forget(revision);
      return;
    }
    if (revision <= this.#oldest) this.#settled.set(key, revision);
    if (deleted && revision <= this.#oldest) {
      this.#replica.forget(revision);
      return;
    }
    const entry = toEntry(this.#replica, record, this.#readAttributes);
    if (entry) this.#versions.push({ entry, deleted });
    else this.damage.push(unreadable(record));
  }

  /** The useful ones of all that was added, by revision. */
  versions(): readonly Version[] {
    const isOfUse = ({ entry }: Version): boolean => entry.revision >= this.#settledAt(entry.key);
    this.#keep(isOfUse, ({ entry }) => this.#replica.forget(entry.revision));
    return this.#versions.sort((a, b) => a.entry.revision - b.entry.revision);
  }

  /** Whether a damaged record is out of use: its key was written again, and history does not reach back to it. */
  isHealed({ key, revision }: Damage): boolean {
    if (revision === undefined || revision > this.#oldest || !this.#isReplaced(key, revision)) return false;
    this.#replica.forget(revision);
    return true;
  }

  /** Leaves out the versions of a key that a damaged record has replaced: they must not pass for its state. */
  leaveOut({ key, revision = 0 }: Damage): void {
    this.#keep(({ entry }) => entry.key !== key || entry.revision > revision);
  }

  #isReplaced(key: Key, revision: Revision): boolean {
    if (this.#settledAt(key) > revision) return true;
    return this.#versions.some(({ entry }) => entry.key === key && entry.revision > revision);
  }

  #settledAt(key: Key): Revision {
    return this.#settled.get(key) ?? 0;
  }

  #keep(isKept: (version: Version) => boolean, dropped?: (version: Version) => void): void {
    const kept: Version[] = [];
    for (const version of this.#versions) {
      if (isKept(version)) kept.push(version);
      else {
        this.#replica.slabs.release(version.entry);
        dropped?.(version);
      }
    }
    this.#versions = kept;
  }
}

/** Applies versions in the order of their revisions and returns the digest of what they add up to. */
function fold(replica: Replica, versions: readonly Version[], oldest: Revision): number {
  let digest = 0;
  let last: Revision = 0;
  for (const { entry, deleted } of versions) {
    const { key, revision } = entry;
    // A journal that was interrupted while it moved a record has it twice.
    if (revision === last) {
      replica.slabs.release(entry);
      continue;
    }
    last = revision;
    const previous = replica.get(key);
    const event = toEvent(entry, deleted, previous);
    digest = updateDigest(digest, deleted ? 0 : revision, previous?.revision ?? 0);
    if (revision > oldest) replica.apply(event);
    else replica.restore(event);
  }
  return digest;
}

const MISSING: Damage = {
  key: '',
  problem: 'the records do not add up to the last checkpoint: some are missing or out of date',
  cure: 'restore a snapshot',
};

function unreadable({ key, revision }: StoredRecord): Damage {
  return {
    key,
    revision,
    problem: `the object stored at revision ${revision} is not a JSON object`,
    cure: 'write the object again or restore a snapshot',
  };
}

function toEntry(replica: Replica, record: StoredRecord, readAttributes: AttributeReader): StoredEntry | undefined {
  const attributes = attributesOf(record.key, record.bytes, readAttributes);
  if (!attributes) return undefined;
  const entry = new StoredEntry(record.key, record.revision, replica.attributes.share(attributes));
  replica.slabs.holdCopy(entry, record.bytes);
  return entry;
}
