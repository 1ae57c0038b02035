/** Fills memory from what a backend has kept. */
import type {
  AttributeReader,
  Attributes,
  Damage,
  JsonObject,
  JsonValue,
  Opened,
  StoredRecord,
} from '../contract/index.js';
import { updateDigest } from './digest.js';
import type { StoredEvent } from './history.js';
import type { Replica } from './replica.js';
import { StoredEntry } from './stored-entry.js';

/** Shared by all entries without labels or selectable fields, which are most. */
const NOTHING: Readonly<Record<string, string>> = Object.freeze({});

export interface Loaded {
  /** What cannot be trusted, and was left out. */
  readonly damage: readonly Damage[];
  /** The checksum of the state that was loaded. */
  readonly digest: number;
}

/**
 * Reads all records, one pass in the order of their revisions: those up to the oldest revision make up the state that
 * the history starts from, those after it are the history.
 */
export async function load(replica: Replica, opened: Opened, readAttributes: AttributeReader): Promise<Loaded> {
  const { checkpoint } = opened;
  const damage: Damage[] = [];
  let digest = 0;
  for await (const record of opened.records) {
    const entry = toEntry(replica, record, readAttributes);
    if (!entry) {
      damage.push(unreadable(record));
      continue;
    }
    const event = toEvent(record, entry, replica.get(record.key));
    digest = updateDigest(digest, record.deleted ? 0 : record.revision, event.previous?.revision ?? 0);
    if (record.revision > checkpoint.oldestRevision) replica.apply(event);
    else replica.restore(event);
  }
  replica.advance(checkpoint.revision);
  damage.push(...opened.damage);
  if (damage.length === 0 && digest !== checkpoint.digest) damage.push(MISSING);
  return { damage, digest };
}

const MISSING: Damage = {
  key: '',
  problem: 'the records do not add up to the last checkpoint: some are missing or out of date',
  cure: 'restore a snapshot',
};

function unreadable({ key, revision }: StoredRecord): Damage {
  return {
    key,
    problem: `the object stored at revision ${revision} is not a JSON object`,
    cure: 'write the object again or restore a snapshot',
  };
}

function toEntry(replica: Replica, record: StoredRecord, readAttributes: AttributeReader): StoredEntry | undefined {
  const object = parse(record.bytes);
  if (!object) return undefined;
  const entry = new StoredEntry(record.key, record.revision, compact(readAttributes(record.key, object)));
  replica.slabs.holdCopy(entry, record.bytes);
  return entry;
}

function toEvent(record: StoredRecord, entry: StoredEntry, previous: StoredEntry | undefined): StoredEvent {
  const { revision } = record;
  if (!previous) return { type: record.deleted ? 'DELETED' : 'ADDED', revision, entry };
  return { type: record.deleted ? 'DELETED' : 'MODIFIED', revision, entry, previous };
}

function compact({ labels, fields }: Attributes): Attributes {
  return { labels: isEmpty(labels) ? NOTHING : labels, fields: isEmpty(fields) ? NOTHING : fields };
}

function isEmpty(record: Readonly<Record<string, string>>): boolean {
  for (const _ in record) return false;
  return true;
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
