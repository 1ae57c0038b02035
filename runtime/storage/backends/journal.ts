/**
 * A backend over a store of numbered segments. Each commit is one segment of a log. The oldest segments are cleaned.
 */
import type {
  Backend,
  BackendOpenOptions,
  Checkpoint,
  CommitOptions,
  Key,
  Opened,
  Revision,
  StoredRecord,
} from '../../contract/index.js';
import { Ring } from '../ring.js';
import { JournalReader, readSegment, type SegmentSize } from './journal-reader.js';
import { type LogHeader, type Segment, SegmentEncoder, type SegmentRecord, type SegmentStore } from './segment.js';

/**
 * The bytes of old segments that are cleaned for each written byte. Most of their records are dead by then, so the log
 * shrinks. If the oldest segments hold objects that never change, the log may grow to three times the size that it
 * needs.
 */
const CLEANING_FACTOR = 2;
/** The bytes that may be cleaned in advance. */
const CLEANING_AHEAD = 128 * 1024;
/** The most bytes that one step of cleaning may write on a full disk. */
const RECLAIM_KEPT = 1024 * 1024;
const RECLAIM_READ = 16 * 1024 * 1024;

export interface JournalOptions {
  /** Cleaning begins once about this many bytes, and more than half of all records, are dead. */
  readonly slackBytes?: number;
}

/**
 * Stores each commit as one segment, in one write. Once too much of the log is dead, a commit also copies the live
 * records of the oldest segments into its own segment, and removes the old segments. Only the oldest segments are
 * cleaned. So the record of a deletion outlives the versions before it. Moved versions record their own end. So no
 * object comes back at the next open.
 */
export function journalBackend(store: SegmentStore, { slackBytes = 4 * 1024 * 1024 }: JournalOptions = {}): Backend {
  let journal: Journal | undefined;
  return {
    name: store.name,
    get durability() {
      return store.durability;
    },
    open(options) {
      journal = new Journal(store, slackBytes);
      return journal.open(options ?? {});
    },
    async commit(batch, checkpoint, forget, options) {
      if (!journal) throw new Error('the journal is not open');
      await journal.commit(batch, checkpoint, forget, options);
    },
    replaceSecret: async (secret) => store.replaceSecret?.(secret),
    health: () => store.health?.() ?? '',
    close: () => store.close(),
  };
}

/** The result of cleaning the oldest segments. */
interface Cleaning {
  readonly segments: SegmentSize[];
  readonly kept: SegmentRecord[];
  /** Revisions of dead records that are removed with their segments. */
  readonly dropped: Revision[];
}

const NO_CLEANING: Cleaning = { segments: [], kept: [], dropped: [] };

class Journal {
  readonly #store: SegmentStore;
  readonly #slackBytes: number;
  readonly #encoder = new SegmentEncoder();
  /** Oldest first. */
  readonly #segments = new Ring<SegmentSize>();
  #bytes = 0;
  #records = 0;
  #nextId = 1;
  /** Revisions of dead records that are still in the log. */
  readonly #dead = new Set<Revision>();
  /** The revision that ended each version that history still needs. */
  #ends = new Map<Revision, Revision>();
  /** Revisions of lost records by key. They are dead once the key is written again. */
  #lost = new Map<Key, readonly Revision[]>();
  /** Numbers of segments that are no longer in the log, for the next commit to remove. */
  #leftovers: readonly number[] = [];
  /** Segments that the next commit writes in place of damaged ones. */
  #repairs: readonly Segment[] = [];
  /** The bytes that may be cleaned now; negative after a larger segment. */
  #allowance = CLEANING_AHEAD;

  constructor(store: SegmentStore, slackBytes: number) {
    this.#store = store;
    this.#slackBytes = slackBytes;
  }

  async open({ discardDamage = false }: BackendOpenOptions): Promise<Opened> {
    const ids = await this.#store.open();
    this.#nextId = (ids.at(-1) ?? 0) + 1;
    const reader = new JournalReader(this.#store, ids, discardDamage);
    const header = await reader.header();
    const secret = await this.#store.secret?.();
    const { checkpoint } = header;
    const records = this.#take(reader, header);
    return { checkpoint, records, damage: reader.damage, share: () => reader.share, secret };
  }

  async commit(
    batch: readonly StoredRecord[],
    checkpoint: Checkpoint,
    forget: readonly Revision[],
    { spare = false }: CommitOptions = {},
  ): Promise<void> {
    for (const revision of forget) this.#kill(revision);
    const cleaning = spare ? NO_CLEANING : await this.#clean(batch);
    await this.#write(batch, cleaning, checkpoint, spare);
    if (!spare) return;
    // History on disk starts after these records, so the versions that they replaced are dead.
    for (const { replaces } of batch) if (replaces > 0) this.#kill(replaces);
    // The batch is already durable, even if this fails.
    await this.#reclaim(checkpoint).catch(() => {});
  }

  /** Adds a segment with a batch and the live records of cleaned segments, and removes the cleaned segments. */
  async #write(
    batch: readonly StoredRecord[],
    { segments, kept, dropped }: Cleaning,
    checkpoint: Checkpoint,
    spare: boolean,
  ): Promise<void> {
    const records = [...kept, ...batch];
    const first = this.#segments.at(segments.length)?.id ?? this.#nextId;
    const bytes = this.#encoder.encode(records, { checkpoint, first });
    const removed = [...this.#leftovers, ...segments.map(({ id }) => id)];
    await this.#store.write([{ id: this.#nextId, bytes }, ...this.#repairs], removed, spare);
    this.#leftovers = [];
    this.#repairs = [];
    for (const { key, revision, replaces } of batch) {
      if (replaces > 0) this.#ends.set(replaces, revision);
      this.#heal(key);
    }
    for (const revision of dropped) this.#dead.delete(revision);
    for (const segment of segments) {
      this.#segments.shift();
      this.#account(segment, -1);
    }
    this.#add({ id: this.#nextId++, bytes: bytes.length, records: records.length });
  }

  async *#take(reader: JournalReader, header: LogHeader): AsyncGenerator<readonly StoredRecord[]> {
    yield* reader.records(header);
    for (const segment of reader.segments.reverse()) this.#add(segment);
    for (const revision of reader.dead) this.#dead.add(revision);
    this.#ends = reader.ends;
    this.#lost = reader.lost;
    this.#leftovers = reader.leftovers;
    this.#repairs = reader.repairs;
  }

  /** Reads the oldest segments, in proportion to the written bytes. */
  async #clean(batch: readonly StoredRecord[]): Promise<Cleaning> {
    const cleaning: Cleaning = { segments: [], kept: [], dropped: [] };
    let dead = this.#dead.size;
    const written = batch.reduce((sum, { bytes }) => sum + bytes.length, 0);
    this.#allowance = Math.min(this.#allowance, CLEANING_AHEAD) + CLEANING_FACTOR * written;
    for (let at = 0; this.#allowance > 0 && this.#isWasteful(dead); at++) {
      const segment = this.#segments.at(at);
      if (!segment) break;
      this.#allowance -= segment.bytes;
      dead -= await this.#sort(segment, cleaning);
    }
    return cleaning;
  }

  /** Removes old segments on a full disk while this frees more bytes than it writes. */
  async #reclaim(checkpoint: Checkpoint): Promise<void> {
    for (;;) {
      const cleaning: Cleaning = { segments: [], kept: [], dropped: [] };
      let [read, kept] = [0, 0];
      for (let at = 0; kept < RECLAIM_KEPT && read < RECLAIM_READ; at++) {
        const segment = this.#segments.at(at);
        if (!segment) break;
        await this.#sort(segment, cleaning);
        read += segment.bytes;
        kept = cleaning.kept.reduce((sum, { bytes }) => sum + bytes.length, 0);
      }
      if (cleaning.dropped.length === 0 || read < 2 * kept) return;
      await this.#write([], cleaning, checkpoint, true);
    }
  }

  /** Adds a segment to a cleaning. Returns the number of its dead records. */
  async #sort(segment: SegmentSize, { segments, kept, dropped }: Cleaning): Promise<number> {
    const before = dropped.length;
    for (const record of (await readSegment(this.#store, segment.id)).records) {
      if (this.#dead.has(record.revision)) dropped.push(record.revision);
      // A copy, because the bytes are only valid until the next segment is read.
      else kept.push(this.#withEnd({ ...record, bytes: new Uint8Array(record.bytes) }));
    }
    segments.push(segment);
    return dropped.length - before;
  }

  /** Returns the record with the revision that ended it, because it moves after the record of that revision. */
  #withEnd(record: SegmentRecord): SegmentRecord {
    const end = this.#ends.get(record.revision);
    return end === undefined ? record : { ...record, end };
  }

  #isWasteful(dead: number): boolean {
    return dead * 2 > this.#records && (dead / this.#records) * this.#bytes > this.#slackBytes;
  }

  #heal(key: Key): void {
    const revisions = this.#lost.get(key);
    if (revisions === undefined) return;
    this.#lost.delete(key);
    for (const revision of revisions) this.#kill(revision);
  }

  #kill(revision: Revision): void {
    this.#dead.add(revision);
    this.#ends.delete(revision);
  }

  #add(segment: SegmentSize): void {
    this.#segments.push(segment);
    this.#account(segment, 1);
  }

  #account({ bytes, records }: SegmentSize, sign: 1 | -1): void {
    this.#bytes += sign * bytes;
    this.#records += sign * records;
  }
}
