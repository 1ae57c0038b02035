/** The extension point for durable storage: a log of batches with the state that it adds up to. */
import type { Key, Revision } from './store.js';

/** One stored key as a backend keeps it. */
export interface StoredRecord {
  readonly key: Key;
  readonly revision: Revision;
  readonly bytes: Uint8Array;
}

/** One write of a batch; without `bytes` the key is deleted. */
export interface RecordChange {
  readonly key: Key;
  readonly revision: Revision;
  readonly bytes?: Uint8Array;
}

/** What was found at open that cannot be trusted. */
export interface Damage {
  readonly key: Key;
  readonly problem: string;
  /** What the operator can do about it, as a command or an action. */
  readonly cure: string;
}

export interface Opened {
  /** The last revision that was committed; 0 for new data. */
  readonly revision: Revision;
  /** Every stored key once, in any order. */
  readonly records: Iterable<StoredRecord> | AsyncIterable<StoredRecord>;
  readonly damage: readonly Damage[];
}

/**
 * An embedded backend. Only one process may have it open; a second `open` fails with an error that names the owner.
 * Backends without transactions of their own are wrapped in a journal before they get here.
 */
export interface Backend {
  readonly name: string;
  /** What survives what once a commit has resolved; shown to operators. */
  readonly durability: 'none' | 'process' | 'power-loss';
  open(): Promise<Opened>;
  /**
   * Makes a batch durable as a whole or not at all, and with it the counter `revision`. Called for one batch at a
   * time, in order. Rejects when it cannot; then none of the batch counts.
   */
  commit(batch: readonly RecordChange[], revision: Revision): Promise<void>;
  close(): Promise<void>;
}
