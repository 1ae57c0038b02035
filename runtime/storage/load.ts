/** Fills memory from what a backend has kept. */
import type {
  AttributeReader,
  Damage,
  JsonObject,
  JsonValue,
  Key,
  Opened,
  Revision,
  StoredRecord,
} from '../contract/index.js';
import { updateDigest } from './digest.js';
import type { StoredEvent } from './history.js';
import type { Replica } from './replica.js';
import { StoredEntry } from './stored-entry.js';

export interface Loaded {
  /** What cannot be trusted, and was left out. */
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
  const digest = fold(replica, collector.versions(), oldestRevision);
  replica.advance(checkpoint.revision);
  const damage = [...collector.damage, ...opened.damage].filter((found) => !collector.isHealed(found));
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
  readonly #versions: Version[] = [];
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
    if (revision < (this.#settled.get(key) ?? 0)) {
      this.#replica.forget(revision);
      return;
    }
    if (revision <= this.#oldest) this.#settled.set(key, revision);
    const entry = toEntry(this.#replica, record, this.#readAttributes);
    if (entry) this.#versions.push({ entry, deleted });
    else this.damage.push(unreadable(record));
  }

  /** What was added, by revision. */
  versions(): readonly Version[] {
    return this.#versions.sort((a, b) => a.entry.revision - b.entry.revision);
  }

  /** Whether a damaged record would be out of use anyway; it is forgotten then. */
  isHealed({ key, revision }: Damage): boolean {
    if (revision === undefined || revision >= (this.#settled.get(key) ?? 0)) return false;
    this.#replica.forget(revision);
    return true;
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
  const object = parse(record.bytes);
  if (!object) return undefined;
  const attributes = replica.attributes.share(readAttributes(record.key, object));
  const entry = new StoredEntry(record.key, record.revision, attributes);
  replica.slabs.holdCopy(entry, record.bytes);
  return entry;
}

function toEvent(entry: StoredEntry, deleted: boolean, previous: StoredEntry | undefined): StoredEvent {
  const { revision } = entry;
  if (!previous) return { type: deleted ? 'DELETED' : 'ADDED', revision, entry };
  return { type: deleted ? 'DELETED' : 'MODIFIED', revision, entry, previous };
}

function parse(bytes: Uint8Array): JsonObject | undefined {
  try {
    const value: JsonValue = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
