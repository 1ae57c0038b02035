/** The extension point for durable storage: a log of changes, and the state that results from them. */
import type { Damage, Key, Revision } from './store.js';

/** One version of a key as a backend keeps it: the object from this revision on, or its deletion. */
export interface StoredRecord {
  readonly key: Key;
  readonly revision: Revision;
  /** The revision of the version that this one replaces or ends; 0 if the key did not exist. */
  readonly replaces: Revision;
  /** Whether this change deleted the key. `bytes` are then the last state that watchers got; empty if they got none. */
  readonly deleted: boolean;
  readonly bytes: Uint8Array;
  /** The reason why the store's encryption cannot decrypt the bytes, which are then still encrypted; else absent. */
  readonly locked?: string;
}

/** The state that a commit makes durable together with its records. */
export interface Checkpoint {
  /** The last revision that the store assigned; 0 for new data. */
  readonly revision: Revision;
  /** The backend keeps all changes after this revision. Equal to `revision` if history is empty. */
  readonly oldestRevision: Revision;
  /** A checksum over the revisions of all live keys (unsigned, 32 bits). It shows lost records. */
  readonly digest: number;
  /** The time of the commit, in milliseconds since 1970, so that history also expires in a store without writes. */
  readonly time: number;
}

export interface Opened {
  readonly checkpoint: Checkpoint;
  /**
   * The records in any order; newest first is fastest. They include the live version of every key and the earlier
   * versions that history needs, and may include others. Batches of many records save turns of the event loop. Bytes
   * are only valid until the next read.
   */
  readonly records: Iterable<StoredRecord> | AsyncIterable<StoredRecord | readonly StoredRecord[]>;
  /** Complete once `records` is read to its end. `records` does not include damaged records. */
  readonly damage: readonly Damage[];
  /** Returns the share of the records that were read so far, from 0 to 1; absent if unknown. */
  readonly share?: () => number;
  /** 32 random bytes that belong to the data, the same at every open; absent if the backend has none. */
  readonly secret?: Uint8Array;
}

/** The error of a commit that may still have become durable. */
export interface UncertainCommit extends Error {
  readonly uncertain: true;
}

/** The error of a commit for which there is not enough space. A commit with `spare` may still succeed. */
export interface BackendFull extends Error {
  readonly full: true;
}

export interface CommitOptions {
  /**
   * Set if the batch only deletes objects or marks them as being deleted. It may use reserved space. History starts
   * after it, so the backend also forgets the versions that it replaces. Only set after a `BackendFull`.
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
   * Makes a batch and its checkpoint durable, as a whole or not at all. The batch is not empty, and its revisions
   * ascend. The store calls this for one batch at a time, in order, and may reuse the arguments once the promise
   * settles.
   *
   * `forget` has the revisions of records that the store no longer needs. The backend may remove them now or later,
   * even if this commit fails. If it returns some of them at the next open, the first commit names them again.
   *
   * Rejects with an Error if nothing of the batch was or will be stored. Rejects with an `UncertainCommit` if the
   * backend does not know: the next open may then return the batch, unless a later commit succeeds first.
   */
  commit(
    batch: readonly StoredRecord[],
    checkpoint: Checkpoint,
    forget: readonly Revision[],
    options?: CommitOptions,
  ): Promise<void>;
  /**
   * Replaces the secret of the open data with these 32 bytes, durably. If it rejects with an Error, the former secret
   * stays valid. Called between two commits. Absent if the backend has no secret.
   */
  replaceSecret?(secret: Uint8Array): Promise<void>;
  /** Returns the reason why no commit can succeed, for operators; empty if commits can succeed. */
  health?(): string;
  close(): Promise<void>;
}
