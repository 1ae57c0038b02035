/** The extension point for durable storage: a log of changes and the state that it adds up to. */
import type { Key, Revision } from './store.js';

/** One version of a key as a backend keeps it: the object from this revision on, or its end. */
export interface StoredRecord {
  readonly key: Key;
  readonly revision: Revision;
  /** The revision of the version that this one replaces or ends; 0 where the key did not exist. */
  readonly replaces: Revision;
  /**
   * Whether the key was deleted by this change; `bytes` are then the last state, as watchers got it, or empty where
   * there were none.
   */
  readonly deleted: boolean;
  readonly bytes: Uint8Array;
}

/** The state that a commit makes durable besides its records. */
export interface Checkpoint {
  /** The last revision that was given out; 0 for new data. */
  readonly revision: Revision;
  /** Changes after this revision are all kept; equal to `revision` where there is no history. */
  readonly oldestRevision: Revision;
  /** A checksum over the revisions of all live keys (unsigned, 32 bits), by which a lost record is noticed. */
  readonly digest: number;
  /** When the commit was made, in milliseconds since 1970; history does not outlive its window in a store at rest. */
  readonly time: number;
}

/** Damaged data that was found at open. */
export interface Damage {
  /** The object's key; empty where it cannot be read any more. */
  readonly key: Key;
  /** The revision of the damaged record, where that is known. */
  readonly revision?: Revision;
  readonly problem: string;
  /** The cure: a command or an action of the operator. */
  readonly cure: string;
}

export interface Opened {
  readonly checkpoint: Checkpoint;
  /**
   * The live version of every key and the earlier versions that history still needs, and possibly some that nobody
   * needs, in any order; newest first is the quickest. Many at a time spare the turn that each would take. Bytes are only
   * valid until more is asked for.
   */
  readonly records: Iterable<StoredRecord> | AsyncIterable<StoredRecord | readonly StoredRecord[]>;
  /** Complete when `records` has been read to its end. Damaged records are not among them. */
  readonly damage: readonly Damage[];
  /** How much of the records has been handed over by now, from 0 to 1; absent where that cannot be told. */
  readonly share?: () => number;
  /** Random bytes that belong to the data, 32 of them, the same at every open; absent where the backend keeps none. */
  readonly secret?: Uint8Array;
}

/** The error of a commit that may have become durable all the same. */
export interface UncertainCommit extends Error {
  readonly uncertain: true;
}

/** The error of a commit for which there was no space; one with `spare` may still succeed. */
export interface BackendFull extends Error {
  readonly full: true;
}

export interface CommitOptions {
  /**
   * The batch only deletes, or marks what is being deleted: it may use space that is kept back for that. History begins
   * behind it, so that versions that it replaces are forgotten with it. Only ever set after a `BackendFull`.
   */
  readonly spare?: boolean;
}

export interface BackendOpenOptions {
  /** Removes for good what is damaged, with the next commit. */
  readonly discardDamage?: boolean;
}

/**
 * An embedded backend. Only one process may have it open; a second `open` fails with an error that names the owner.
 * Backends without transactions of their own are wrapped in a journal before they get here.
 */
export interface Backend {
  readonly name: string;
  /** The kind of crash that a commit survives once it has resolved; shown to operators. */
  readonly durability: 'none' | 'process' | 'power-loss';
  open(options?: BackendOpenOptions): Promise<Opened>;
  /**
   * Makes a batch (not empty, by ascending revision) durable as a whole or not at all, and with it the checkpoint.
   * `forget` names the revisions of records that neither state nor history needs any longer; they may go now or later,
   * even if this commit fails. Those that come back at the next open are forgotten again with the first commit.
   * Called for one batch at a time, in order; the arguments may be reused once it settles.
   * Rejects with an Error when it cannot; then none of the batch counts. Rejects with an `UncertainCommit` where it
   * cannot tell: the batch may come back at the next open, unless a later commit has succeeded before.
   */
  commit(
    batch: readonly StoredRecord[],
    checkpoint: Checkpoint,
    forget: readonly Revision[],
    options?: CommitOptions,
  ): Promise<void>;
  /** Why no commit can succeed any more, in words for operators; empty while all is well. */
  health?(): string;
  close(): Promise<void>;
}
