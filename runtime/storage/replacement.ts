/**
 * Replaces all data of an embedded store, in batches. The data is marked as unfinished from the first batch to the
 * last.
 */
import type { Backend, Damage, EncodedObject, Key, RestoredObject, Revision, StoredRecord } from '../contract/index.js';
import { MARK, MARK_KEY } from './failures.js';
import { inRestoredOrder } from './keys.js';
import type { Replica } from './memory/replica.js';
import { StoredEntry, type StoredEvent } from './memory/stored-entry.js';
import { stampedPieces, updateDigest } from './stamp.js';

/** A batch is full with this many changes or bytes. */
const BATCH_CHANGES = 1024;
const BATCH_BYTES = 4 * 1024 * 1024;

const NOTHING = new Uint8Array(0);

/** A store's memory and backend; `digest` is the checksum of the state in both. */
export interface ReplacementTarget {
  readonly replica: Replica;
  readonly backend: Backend;
  readonly digest: number;
  /** Objects that the backend has and memory does not, because they cannot be decrypted. */
  readonly locked?: readonly Pick<Damage, 'key' | 'revision'>[];
}

/**
 * Does what `Store.restore` promises. No other code may change the store meanwhile. Resolves to the new digest. Removes
 * the old data before it writes the new, so that memory and disk never hold both.
 */
export async function replaceAll(
  target: ReplacementTarget,
  objects: Iterable<RestoredObject> | AsyncIterable<RestoredObject>,
  behind: Revision,
  secret?: Uint8Array,
): Promise<number> {
  const { replica } = target;
  replica.endWatches();
  replica.forgetHistory();
  const replacement = new Replacement(target, Math.max(behind, replica.revision));
  const earlier = replica.entries().filter(({ key }) => key !== MARK_KEY);
  replacement.put(MARK_KEY, MARK);
  // Must be durable before anything else changes.
  await replacement.flush();
  for (const entry of [...earlier, ...lockedEntries(target)]) {
    replacement.remove(entry);
    await replacement.flushIfFull();
  }
  // The removals must be durable before the same keys are written again.
  await replacement.flush();
  for await (const { key, object } of inRestoredOrder(objects)) {
    replacement.put(key, object);
    await replacement.flushIfFull();
  }
  await replacement.flush();
  // A crash before the mark is removed leaves data that only another restore opens, whichever secret it has.
  if (secret) await target.backend.replaceSecret?.(secret);
  const mark = replica.get(MARK_KEY);
  if (mark) replacement.remove(mark);
  await replacement.flush();
  return replacement.finish();
}

/** Returns entries without their bytes. */
const lockedEntries = ({ locked = [] }: ReplacementTarget): readonly StoredEntry[] =>
  locked.map(({ key, revision = 0 }) => new StoredEntry(key, revision, { labels: {}, fields: {} }));

/** Must not change a key twice between two flushes. */
class Replacement {
  readonly #replica: Replica;
  readonly #backend: Backend;
  #revision: Revision;
  #digest: number;
  #batch: StoredEvent[] = [];
  #bytes = 0;

  constructor({ replica, backend, digest }: ReplacementTarget, revision: Revision) {
    this.#replica = replica;
    this.#backend = backend;
    this.#digest = digest;
    this.#revision = revision;
  }

  put(key: Key, object: EncodedObject): void {
    const revision = ++this.#revision;
    const entry = new StoredEntry(key, revision, this.#replica.attributes.share(object.attributes));
    this.#replica.slabs.holdText(entry, stampedPieces(object, revision));
    const previous = this.#replica.get(key);
    this.#add(previous ? { type: 'MODIFIED', revision, entry, previous } : { type: 'ADDED', revision, entry });
  }

  remove(previous: StoredEntry): void {
    const revision = ++this.#revision;
    // No watcher gets the last state.
    const entry = new StoredEntry(previous.key, revision, previous.attributes);
    this.#add({ type: 'DELETED', revision, entry, previous });
  }

  async flushIfFull(): Promise<void> {
    if (this.#batch.length >= BATCH_CHANGES || this.#bytes >= BATCH_BYTES) await this.flush();
  }

  /** Makes the batch durable, then applies it to memory. */
  async flush(): Promise<void> {
    if (this.#batch.length === 0) return;
    const batch = this.#batch;
    this.#batch = [];
    this.#bytes = 0;
    const digest = batch.reduce(digestWith, this.#digest);
    const revision = this.#revision;
    const checkpoint = { revision, oldestRevision: revision, digest, time: Date.now() };
    await this.#backend.commit(batch.map(recordOf), checkpoint, this.#replica.takeForgettable());
    this.#digest = digest;
    for (const event of batch) this.#replica.restore(event);
  }

  /**
   * Starts history at the new state, and ends watches that began meanwhile, because they missed all changes. Returns
   * the digest.
   */
  finish(): number {
    this.#replica.advance(this.#revision);
    this.#replica.forgetHistory();
    this.#replica.endWatches();
    return this.#digest;
  }

  #add(event: StoredEvent): void {
    this.#batch.push(event);
    this.#bytes += event.entry.size;
  }
}

function recordOf({ type, entry, previous }: StoredEvent): StoredRecord {
  const { key, revision } = entry;
  const deleted = type === 'DELETED';
  return { key, revision, replaces: previous?.revision ?? 0, deleted, bytes: deleted ? NOTHING : entry.bytes };
}

function digestWith(digest: number, { type, revision, previous }: StoredEvent): number {
  return updateDigest(digest, type === 'DELETED' ? 0 : revision, previous?.revision ?? 0);
}
