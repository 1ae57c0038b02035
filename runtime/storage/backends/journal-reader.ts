/** Reads a journal from its newest segment to its oldest. */
import type { Damage, Key, Revision, StoredRecord } from '../../contract/index.js';
import { decodeSegment, type LogHeader, SegmentEncoder, type SegmentRecord } from './segment.js';
import type { Segment, SegmentStore } from './segment-store.js';

/** Added to the last known revision where the checkpoint is lost; no batch can have given out so many. */
const REVISION_GAP = 1_000_000;

/** Missing segments in a row that can be discarded; more cannot come from a disk's fault. */
const LARGEST_GAP = 100_000;

const CURE = 'write the object again, restore a snapshot, or discard what is damaged';

const NOTHING = new Uint8Array(0);
const NEW: LogHeader = { checkpoint: { revision: 0, oldestRevision: 0, digest: 0, time: 0 }, first: 1 };

/** A segment in the log. */
export interface SegmentSize {
  readonly id: number;
  readonly bytes: number;
  readonly records: number;
}

export class JournalReader {
  readonly damage: Damage[] = [];
  /** The segments of the log, newest first; complete like the rest when `records` has been read to its end. */
  readonly segments: SegmentSize[] = [];
  /** Ids of segments that a commit has emptied and not come to remove. */
  readonly leftovers: number[] = [];
  /** Revisions of lost records by key. */
  readonly lost = new Map<Key, Revision>();
  /** For versions that history needs and that have ended: the revision that ended them. */
  readonly ends = new Map<Revision, Revision>();
  /** Revisions of records that are known to be of no use. */
  readonly dead: Revision[] = [];
  /** What to store in the place of damaged segments, where damage is to be discarded. */
  readonly repairs: Segment[] = [];
  readonly #store: SegmentStore;
  readonly #ids: readonly number[];
  readonly #discard: boolean;

  constructor(store: SegmentStore, ids: readonly number[], discard: boolean) {
    this.#store = store;
    this.#ids = ids;
    this.#discard = discard;
  }

  /** What the last commit said of the log; a safe guess behind it where that cannot be read. */
  async header(): Promise<LogHeader> {
    let known: Revision = 0;
    for (const [age, id] of this.#ids.toReversed().entries()) {
      const { header, records } = decodeSegment(await this.#bytes(id));
      if (header && age === 0) return header;
      known = records.reduce((newest, { lost, revision }) => (lost ? newest : Math.max(newest, revision)), known);
      if (header) return guessAfter(Math.max(known, header.checkpoint.revision), header.first);
    }
    return this.#ids.length === 0 ? NEW : guessAfter(known, 0);
  }

  async *records(header: LogHeader): AsyncGenerator<StoredRecord> {
    this.leftovers.push(...this.#ids.filter((id) => id < header.first));
    const ids = this.#ids.slice(this.leftovers.length);
    this.#findMissing(ids, header);
    for (const id of ids.toReversed()) {
      const bytes = await this.#bytes(id);
      const { records } = decodeSegment(bytes);
      const lost = records.filter((record) => record.lost);
      for (const record of lost) this.#report(id, record);
      const kept = this.#discard ? records.flatMap(withoutLoss) : records;
      if (this.#discard && lost.length > 0) this.#repair(id, kept, header);
      this.segments.push({ id, bytes: bytes.length, records: kept.length });
      for (const record of records) if (!record.lost && this.#isOfUse(record, header)) yield record;
    }
  }

  /** The numbers of the log's segments have no gaps. */
  #findMissing(ids: readonly number[], header: LogHeader): void {
    let expected = header.first;
    for (const id of ids) {
      if (expected > 0 && expected < id) {
        const which = id - expected === 1 ? `segment ${expected}` : `segments ${expected} to ${id - 1}`;
        this.damage.push({ key: '', problem: `${which} of the journal missing`, cure: CURE });
        if (this.#discard) this.#fill(expected, Math.min(id, expected + LARGEST_GAP), header);
      }
      expected = id + 1;
    }
  }

  #fill(from: number, to: number, header: LogHeader): void {
    for (let id = from; id < to; id++) this.#repair(id, [], header);
  }

  #repair(id: number, records: readonly SegmentRecord[], header: LogHeader): void {
    this.repairs.push({ id, bytes: new SegmentEncoder().encode(records, header) });
  }

  #isOfUse({ revision, replaces, end = Number.POSITIVE_INFINITY }: SegmentRecord, { checkpoint }: LogHeader): boolean {
    const oldest = checkpoint.oldestRevision;
    if (replaces > 0 && revision > oldest) this.ends.set(replaces, revision);
    if (end > oldest) return true;
    this.dead.push(revision);
    return false;
  }

  #report(segment: number, record: SegmentRecord): void {
    const { key, revision } = record;
    if (isKnown(record) && !this.#discard) this.lost.set(key, Math.max(revision, this.lost.get(key) ?? 0));
    const problem = isRevision(revision)
      ? `its record of revision ${revision} fails its checksum`
      : `segment ${segment} of the journal is unreadable`;
    this.damage.push({ key, ...(isRevision(revision) && { revision }), problem, cure: CURE });
  }

  async #bytes(id: number): Promise<Uint8Array> {
    return (await this.#store.read(id)) ?? new Uint8Array(0);
  }
}

/** What stays of a record when damage is discarded: of a lost one its end, lest an earlier version come back. */
function withoutLoss(record: SegmentRecord): SegmentRecord[] {
  if (!record.lost) return [record];
  return isKnown(record) ? [{ ...record, lost: false, deleted: true, bytes: NOTHING }] : [];
}

function isKnown({ key, revision }: SegmentRecord): boolean {
  return key !== '' && isRevision(revision);
}

/** Whether this can be a revision; in a damaged row anything may stand. */
function isRevision(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}

function guessAfter(known: Revision, first: number): LogHeader {
  const revision = known + REVISION_GAP;
  return { checkpoint: { revision, oldestRevision: revision, digest: 0, time: 0 }, first };
}
