/** Reads a journal from its newest segment to its oldest. */
import type { Damage, Key, Revision, StoredRecord } from '../../contract/index.js';
import {
  type DecodedSegment,
  decodeSegment,
  type LogHeader,
  lostRecord,
  type Segment,
  SegmentEncoder,
  type SegmentRecord,
  type SegmentStore,
} from './segment.js';

/** Added to the last known revision if the checkpoint is lost. A batch cannot have more revisions. */
const REVISION_GAP = 1_000_000;

/** The most missing segments that are listed for one gap. No fault of a disk loses more. */
const LARGEST_GAP = 100_000;

const CURE = 'write the object again, restore a snapshot, or discard the damaged data';

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
  /**
   * The segments of the log, newest first. This field and the fields below are complete once `records` is read to its
   * end.
   */
  readonly segments: SegmentSize[] = [];
  /** Numbers of segments that a commit emptied but did not remove. */
  readonly leftovers: number[] = [];
  /** Revisions of lost records by key. */
  readonly lost = new Map<Key, readonly Revision[]>();
  /** The revision that ended each version that history still needs. */
  readonly ends = new Map<Revision, Revision>();
  /** Revisions of records that are known to be dead. */
  readonly dead: Revision[] = [];
  /** Segments that replace the damaged ones if damage is discarded. */
  readonly repairs: Segment[] = [];
  readonly #store: SegmentStore;
  readonly #ids: readonly number[];
  readonly #discard: boolean;
  /** Missing segments without any known record, newest first. */
  readonly #unknown: number[] = [];

  constructor(store: SegmentStore, ids: readonly number[], discard: boolean) {
    this.#store = store;
    this.#ids = ids;
    this.#discard = discard;
  }

  /** The part of the log that has been read, from 0 to 1. */
  get share(): number {
    return this.#ids.length === 0 ? 1 : Math.min(1, this.segments.length / this.#ids.length);
  }

  /** Returns the header of the last commit, or a safe guess if it cannot be read. */
  async header(): Promise<LogHeader> {
    let known: Revision = 0;
    for (const [age, id] of this.#ids.toReversed().entries()) {
      const { header, records } = await readSegment(this.#store, id);
      if (header && age === 0) return header;
      known = records.reduce((newest, { lost, revision }) => (lost ? newest : Math.max(newest, revision)), known);
      if (header) return guessAfter(Math.max(known, header.checkpoint.revision), header.first);
    }
    return this.#ids.length === 0 ? NEW : guessAfter(known, 0);
  }

  /** Yields the records of the log. Yields all records of a segment at once. */
  async *records(header: LogHeader): AsyncGenerator<readonly StoredRecord[]> {
    this.leftovers.push(...this.#ids.filter((id) => id < header.first));
    const ids = withoutGaps(this.#ids.slice(this.leftovers.length), header.first);
    for (const id of ids.toReversed()) {
      const { bytes, records } = await readSegment(this.#store, id);
      const lost = records.filter((record) => record.lost);
      for (const record of lost) this.#report(id, record, bytes === undefined);
      const kept = this.#discard ? records.flatMap(withoutLoss) : records;
      if (this.#discard && lost.length > 0) this.#repair(id, kept, header);
      this.segments.push({ id, bytes: bytes?.length ?? 0, records: kept.length });
      yield records.filter((record) => !record.lost && this.#isOfUse(record, header));
    }
    this.#reportUnknown();
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

  #report(segment: number, record: SegmentRecord, isMissing: boolean): void {
    const { key, revision } = record;
    if (isKnown(record) && !this.#discard) this.lost.set(key, [...(this.lost.get(key) ?? []), revision]);
    if (!isRevision(revision)) {
      if (isMissing) this.#unknown.push(segment);
      else this.damage.push({ key, problem: `segment ${segment} of the journal is unreadable`, cure: CURE });
      return;
    }
    const problem = isMissing
      ? `its record of revision ${revision} is missing with segment ${segment} of the journal`
      : `its record of revision ${revision} fails its checksum`;
    this.damage.push({ key, revision, problem, cure: CURE });
  }

  /** Reports missing segments without any known record. Consecutive ones are one problem. */
  #reportUnknown(): void {
    const ids = this.#unknown.reverse();
    const starts = ids.filter((id, at) => ids[at - 1] !== id - 1);
    const ends = ids.filter((id, at) => ids[at + 1] !== id + 1);
    for (const [at, start] of starts.entries()) {
      const isOne = start === ends[at];
      const problem = isOne
        ? `segment ${start} of the journal is missing`
        : `segments ${start} to ${ends[at]} of the journal are missing`;
      this.damage.push({ key: '', problem, cure: CURE });
    }
  }
}

/** Reads a segment. If it cannot be read, returns the records that are known to be lost with it. */
export async function readSegment(
  store: SegmentStore,
  id: number,
): Promise<DecodedSegment & { readonly bytes: Uint8Array | undefined }> {
  const bytes = await store.read(id);
  const { header, records } = decodeSegment(bytes ?? NOTHING);
  if (header || records.some(isKnown)) return { header, records, bytes };
  const names = store.recall?.(id) ?? [];
  const known = names.map(({ key, revision }) => lostRecord(key, revision));
  return { records: known.length > 0 ? known : records, bytes };
}

/** Returns all numbers from the first segment of the log on, including the numbers of missing segments. */
function withoutGaps(ids: readonly number[], first: number): number[] {
  const complete: number[] = [];
  let expected = first > 0 ? first : (ids[0] ?? 0);
  for (const id of ids) {
    for (const end = Math.min(id, expected + LARGEST_GAP); expected < end; expected++) complete.push(expected);
    complete.push(id);
    expected = id + 1;
  }
  return complete;
}

/**
 * Returns the records that replace a record when damage is discarded. A lost record becomes a deletion, so no earlier
 * version comes back.
 */
function withoutLoss(record: SegmentRecord): SegmentRecord[] {
  if (!record.lost) return [record];
  return isKnown(record) ? [{ ...record, lost: false, deleted: true, bytes: NOTHING }] : [];
}

function isKnown({ key, revision }: SegmentRecord): boolean {
  return key !== '' && isRevision(revision);
}

/** Checks whether a number can be a revision. A damaged row may have any number. */
function isRevision(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}

function guessAfter(known: Revision, first: number): LogHeader {
  const revision = known + REVISION_GAP;
  return { checkpoint: { revision, oldestRevision: revision, digest: 0, time: 0 }, first };
}
