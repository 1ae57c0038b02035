/** Reads a journal from its newest segment to its oldest. */
import type { Checkpoint, Damage, Key, Revision, StoredRecord } from '../../contract/index.js';
import { decodeSegment, SegmentEncoder, type SegmentRecord } from './segment.js';
import type { Segment, SegmentStore } from './segment-store.js';

/** Added to the last known revision where the checkpoint is lost; no batch can have given out so many. */
const REVISION_GAP = 1_000_000;

const CURE = 'write the object again, restore a snapshot, or discard what is damaged';

/** The checkpoint of new data. */
export const NEW: Checkpoint = { revision: 0, oldestRevision: 0, digest: 0, time: 0 };

/** A segment in the log. */
export interface SegmentSize {
  readonly id: number;
  readonly bytes: number;
  readonly records: number;
}

export class JournalReader {
  readonly damage: Damage[] = [];
  /** All segments, newest first; complete like the rest when `records` has been read to its end. */
  readonly segments: SegmentSize[] = [];
  /** Revisions of lost records by key. */
  readonly lost = new Map<Key, Revision>();
  /** Segments without their lost records, where those are to be discarded. */
  readonly repairs: Segment[] = [];
  readonly #store: SegmentStore;
  readonly #newestFirst: readonly number[];
  readonly #discard: boolean;

  constructor(store: SegmentStore, ids: readonly number[], discard: boolean) {
    this.#store = store;
    this.#newestFirst = [...ids].reverse();
    this.#discard = discard;
  }

  /** The checkpoint of the last commit; a safe guess behind it where that cannot be read. */
  async checkpoint(): Promise<Checkpoint> {
    let known: Revision = 0;
    for (const [age, id] of this.#newestFirst.entries()) {
      const { checkpoint, records } = decodeSegment(await this.#bytes(id));
      if (checkpoint && age === 0) return checkpoint;
      known = records.reduce((newest, { revision }) => Math.max(newest, revision), known);
      if (checkpoint) return guessAfter(Math.max(known, checkpoint.revision));
    }
    return this.#newestFirst.length === 0 ? NEW : guessAfter(known);
  }

  async *records(checkpoint: Checkpoint): AsyncGenerator<StoredRecord> {
    for (const id of this.#newestFirst) {
      const bytes = await this.#bytes(id);
      const { records } = decodeSegment(bytes);
      const lost = records.filter((record) => record.lost);
      for (const record of lost) this.#report(id, record);
      const remove = this.#discard && lost.length > 0;
      const kept = remove ? records.filter((record) => !record.lost) : records;
      if (remove) this.repairs.push({ id, bytes: new SegmentEncoder().encode(kept, checkpoint) });
      this.segments.push({ id, bytes: bytes.length, records: kept.length });
      for (const record of records) if (!record.lost) yield record;
    }
  }

  #report(segment: number, { key, revision }: SegmentRecord): void {
    if (key !== '' && !this.#discard) this.lost.set(key, Math.max(revision, this.lost.get(key) ?? 0));
    this.damage.push(
      revision === 0
        ? { key, problem: `segment ${segment} of the journal is unreadable`, cure: CURE }
        : { key, revision, problem: `its record of revision ${revision} fails its checksum`, cure: CURE },
    );
  }

  async #bytes(id: number): Promise<Uint8Array> {
    return (await this.#store.read(id)) ?? new Uint8Array(0);
  }
}

function guessAfter(known: Revision): Checkpoint {
  const revision = known + REVISION_GAP;
  return { ...NEW, revision, oldestRevision: revision };
}
