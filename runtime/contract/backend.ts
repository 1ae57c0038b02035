/** The extension point for durable storage: a log of changes and the state that results from it. */
import type { Damage, Key, Revision } from './store.js';

/** One version of a key as a backend keeps it: the object from this revision on, or its deletion. */
export interface StoredRecord {
  readonly key: Key;
  readonly revision: Revision;
  /** The revision of the version that this one replaces or ends; 0 if the key did not exist. */
  readonly replaces: Revision;
  /**
   * Whether this change deleted the key. `bytes` are then the last state that watchers got, or empty if there was none.
   */
  readonly deleted: boolean;
  readonly bytes: Uint8Array;
  /** Set by the encryption of a store if it cannot decrypt the bytes: the reason. The bytes are then still encrypted. */
  readonly locked?: string;
}

/** The state that a commit makes durable together with its records. */
export interface Checkpoint {
  /** The last revision given out; 0 for new data. */
  readonly revision: Revision;
  /** All changes after this revision are kept; equal to `revision` if there is no history. */
  readonly oldestRevision: Revision;
  /** A checksum over the revisions of all live keys (unsigned, 32 bits). It shows lost records. */
  readonly digest: number;
  /** The time of the commit, in milliseconds since 1970, so that history also expires in a store without writes. */
  readonly time: number;
}

export interface Opened {
  readonly checkpoint: Checkpoint;
  /**
   * The live version of every key, the earlier versions that history needs, and possibly some that are no longer
   * needed, in any order; newest first is fastest. Batches of many records save turns of the event loop. Bytes are only
   * valid until the next read.
   */
  readonly records: Iterable<StoredRecord> | AsyncIterable<StoredRecord | readonly StoredRecord[]>;
  /** Complete once `records` is read to its end. `records` does not include damaged records. */
  readonly damage: readonly Damage[];
  /** Returns the share of the records that was passed on so far, from 0 to 1; absent if unknown. */
  readonly share?: () => number;
  /** 32 random bytes that belong to the data, the same at every open; absent if the backend has none. */
  readonly secret?: Uint8Array;
}

/** The error of a commit that may still have become durable. */
export interface UncertainCommit extends Error {
  readonly uncertain: true;
}

/** The error of a commit without enough space; a commit with `spare` may still succeed. */
export interface BackendFull extends Error {
  readonly full: true;
}

export interface CommitOptions {
  /**
   * Set if the batch only deletes, or marks objects as being deleted: it may use reserved space. History starts after
   * it, so the versions that it replaces are forgotten too. Only set after a `BackendFull`.
   */
  readonly spare?: boolean;
}

export interface BackendOpenOptions {
  /** Removes damaged data for good, with the next commit. */
  readonly discardDamage?: boolean;
}

/**
 * An embedded backend. Only one process may have it open; a second `open` fails with an error that names the owner.
 * Backends without transactions are wrapped in a journal first.
 */
export interface Backend {
  readonly name: string;
  /** The kind of crash that a resolved commit survives; shown to operators. */
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
  /**
   * Makes 32 bytes the secret of the open data, durably. Rejects with an Error when it cannot; then the former secret
   * counts. Called between two commits; absent if the backend has no secret.
   */
  replaceSecret?(secret: Uint8Array): Promise<void>;
  /** Returns the reason why no commit can succeed, for operators; empty if there is none. */
  health?(): string;
  close(): Promise<void>;
}
