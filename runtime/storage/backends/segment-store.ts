/** The place that holds the segments of a journal. */
import type { Backend, Key, Revision } from '../../contract/index.js';

/** A stored value with its number. */
export interface Segment {
  readonly id: number;
  readonly bytes: Uint8Array;
}

/** The name of a record, without its content. */
export interface RecordName {
  readonly key: Key;
  readonly revision: Revision;
}

/** A small store of values by number. Calls come one at a time, each after the one before has settled. */
export interface SegmentStore {
  readonly name: string;
  readonly durability: Backend['durability'];
  /**
   * Takes the data for this process, and returns the ids of what is there, ascending; with those that are known to have
   * been there, as far as they are newer. Rejects where the data is in use.
   */
  open(): Promise<readonly number[]>;
  /** Random bytes that belong to the data, 32 of them, once that is open; absent where none are kept. */
  secret?(): Promise<Uint8Array>;
  /** A segment's bytes, valid until the next call of any kind; undefined where there is none. */
  read(id: number): Promise<Uint8Array | undefined>;
  /** The records that a segment held which `read` has just been asked for and cannot give; none where unknown. */
  recall?(id: number): readonly RecordName[];
  /**
   * Stores and removes durably, all of it or nothing. A store that cannot do that stores first, each segment as a
   * whole or not at all, then removes in the given order, and rejects only if something was not stored and nothing was
   * removed; a removal that fails is made up for before any later one. The bytes may be reused once the promise
   * settles. `spare` is as for `Backend.commit`.
   */
  write(put: readonly Segment[], remove: readonly number[], spare?: boolean): Promise<void>;
  /** Why nothing can be written any more, in words for operators; empty while all is well. */
  health?(): string;
  /** Gives the data free for others. */
  close(): Promise<void>;
}
