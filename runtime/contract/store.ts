/** The contract of storage: revisions, compare-and-set, snapshots and watches. */
import type { Failure } from './failure.js';
import type { JsonObject } from './object.js';

/**
 * A key is `<group>/<plural>/<namespace>/<name>`, or `<group>/<plural>/<name>` for cluster-scoped resources; the core
 * group is empty. A prefix ends in `/`, or is empty for everything; a whole key in place of a prefix matches only
 * itself. Keys are ordered by their UTF-8 bytes.
 */
export type Key = string;

/** The store's counter: one total order of changes, from 1. It never repeats or goes back, even after a restart. */
export type Revision = number;

/** The labels and fields that selectors use, read once when the object is stored. The key holds the rest. */
export interface Attributes {
  readonly labels: Readonly<Record<string, string>>;
  /** Values of the resource's selectable fields by path; an absent field is the empty string. */
  readonly fields: Readonly<Record<string, string>>;
  /** Set if the object was stored in an older version, or under another name of its kind, and must be rewritten. */
  readonly outdated?: true;
}

/**
 * One stored object. The bytes are the JSON that clients get, resourceVersion included, and never change. The store may
 * replace the array by an equal one to save memory, so hold the entry, not its bytes.
 */
export interface Entry {
  readonly key: Key;
  /** The revision of its last change; the same as its `metadata.resourceVersion`. */
  readonly revision: Revision;
  readonly bytes: Uint8Array;
  readonly attributes: Attributes;
  /** A copy of the attribute, available without reading the attributes. */
  readonly outdated?: true | undefined;
}

/** The progress of a store that reads its data at open. */
export interface LoadProgress {
  /** The number of records read. */
  readonly records: number;
  /** The share of the data read, from 0 to 1; absent if unknown. */
  readonly share?: number | undefined;
}

/** Receives the progress of an opening store from time to time. */
export type OnLoading = (progress: LoadProgress) => void;

/** An encoded object that waits for its revision. */
export interface EncodedObject {
  /** JSON in which `metadata.resourceVersion` is the empty string. */
  readonly text: string;
  /** The index in `text` at which the digits of the revision are inserted. */
  readonly revisionAt: number;
  readonly attributes: Attributes;
}

/** One compare-and-set. */
export interface Change {
  readonly key: Key;
  /** The revision that the key must have now; 0 if the key must not exist. */
  readonly expected: Revision;
  /** The new state; absent for a delete. */
  readonly next?: EncodedObject;
  /** The last state that watchers of a delete get. Default: the stored one. */
  readonly last?: EncodedObject;
  /** Set if `next` marks the object as being deleted. Its size and a full disk are then ignored. */
  readonly ending?: true;
  /** Other keys that must durably have these revisions for the change to succeed. */
  readonly guards?: readonly Guard[];
  /**
   * The state on which the change was decided without `confirm`. The change only succeeds if that state was the latest.
   */
  readonly basis?: Basis | undefined;
  /** The name of the writer, for watchers; absent if no watcher needs it. */
  readonly writer?: string | undefined;
}

/** The state of memory on which a change is decided, before `confirm` shows whether it was the latest. */
export interface Basis {
  /** Whether memory already shows changes by other servers since then. */
  readonly isOutdated: boolean;
  /**
   * Confirms the state as `Store.confirm` does. After that, `isOutdated` says whether it was the latest when the call
   * began.
   */
  confirm(): Failure | undefined | Promise<Failure | undefined>;
}

/** A key that must still have a revision. */
export interface Guard {
  readonly key: Key;
  /** 0 if the key must not exist. */
  readonly revision: Revision;
}

/**
 * The result of a change. `conflict`: the store wrote nothing, because the key has the committed entry `current`
 * instead of the expected one. `failed` has `unguarded` if a guard does not hold or a change in flight may break it,
 * and `outdated` if the basis is not the latest state. A failure with the reason `Timeout` means that the store may have
 * made the change; after all others, it wrote nothing.
 */
export type Commit =
  | { readonly outcome: 'committed'; readonly entry: Entry }
  | { readonly outcome: 'conflict'; readonly current: Entry | undefined }
  | { readonly outcome: 'failed'; readonly failure: Failure; readonly unguarded?: true; readonly outdated?: true };

/**
 * One committed change as watchers see it. For `DELETED`, `entry` is the last state, with the revision of the delete.
 */
export interface StoreEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly revision: Revision;
  readonly entry: Entry;
  /** The previous state; absent for `ADDED`. */
  readonly previous?: Entry;
  /** The `writer` of the change, if it named one. A restart forgets it. */
  readonly writer?: string | undefined;
}

/** A condition on a label or a selectable field. */
export interface Condition {
  readonly of: 'labels' | 'fields';
  /** A label key, or the path of a field. */
  readonly key: string;
  /**
   * The allowed values, without repeats. If absent, the label only needs to exist. An absent field is the empty string.
   */
  readonly values?: readonly string[];
  /** Reads the fields if entries do not keep them, because a definition can change them; else absent. */
  readonly read?: FieldReader;
}

/** Reads the selectable fields of an entry. It always returns the same values for an entry. */
export type FieldReader = (entry: Entry) => Attributes['fields'];

/** The conditions that entries of a list must meet. */
export interface EntryFilter {
  /** Every entry that `matches` meets these conditions. A store may look them up instead of testing each entry. */
  readonly conditions: readonly Condition[];
  matches(entry: Entry): boolean;
}

/** A part of the store's state at one revision. */
export interface Snapshot {
  readonly revision: Revision;
  /** In key order. */
  readonly entries: readonly Entry[];
  /** Whether more keys with the prefix follow the last entry, even if the filter excludes them. */
  readonly more: boolean;
  /** The number of remaining keys; only counted if `more`. */
  readonly remaining: number;
  /** Whether the store returned this same array before: it may then be worth caching results made from it. */
  readonly repeated: boolean;
}

export interface ListOptions {
  /** The exact revision to list at. Default: the latest. */
  readonly at?: Revision;
  /** The largest number of entries. Default: no limit. */
  readonly limit?: number;
  /** Starts after this key. */
  readonly after?: Key;
  /** Leaves out entries that do not match. */
  readonly only?: EntryFilter;
}

/** Receives a watch's events in order. Must not throw and must not block. */
export interface WatchSink {
  event(event: StoreEvent): void;
  /** Signals that the store ended the watch: history was compacted, or the store closed. Nothing follows. */
  ended(reason: 'compacted' | 'closed'): void;
}

export interface Subscription {
  /** Stops delivery at once. Idempotent. */
  stop(): void;
}

/** An object that `restore` writes. */
export interface RestoredObject {
  readonly key: Key;
  readonly object: EncodedObject;
}

/** `compacted`: the revision is older than the history that is kept. `future`: the store has not reached it yet. */
export type RevisionProblem = 'compacted' | 'future';

/** Stored data that cannot be read or trusted. */
export interface Damage {
  /** The object's key; empty if it cannot be read. */
  readonly key: Key;
  /** The revision of the damaged record, if known. */
  readonly revision?: Revision;
  readonly problem: string;
  /** The cure: a command or an action of the operator. */
  readonly cure: string;
  /** Set if the data is not damaged, but encrypted with a key that this server does not have. */
  readonly locked?: true;
}

/**
 * The store. It answers reads from memory, which only holds data that is durable to the backend's level. A commit
 * resolves once its data is durable and every watcher has received the event.
 */
export interface Store {
  /** The latest committed revision. */
  readonly revision: Revision;
  /** The oldest revision that can be listed or watched from. */
  readonly oldestRevision: Revision;
  /**
   * Confirms that memory holds every change that any server acknowledged before the call. Returns a failure with the
   * reason if it cannot. Embedded backends answer at once, without a promise.
   */
  confirm(): Failure | undefined | Promise<Failure | undefined>;
  /**
   * Returns the current state of memory, so that a change can be decided on it without waiting for `confirm`. Returns
   * `undefined` if other servers have probably changed something. Absent if no other server writes.
   */
  basis?(): Basis | undefined;
  /**
   * Resolves once filtered lists no longer need to read objects for their selectors. A large store prepares this after
   * it opens. Returns `undefined` once that is done.
   */
  selectable?(): Promise<void> | undefined;
  /** Returns why reads may be stale or writes would fail, for operators; empty if all is well. */
  health(): string;
  get(key: Key): Entry | undefined;
  /**
   * Returns the failure of all reads and writes of a key if its stored object cannot be read and must not be replaced;
   * else `undefined`. Absent if all stored objects are in memory.
   */
  damageAt?(key: Key): Failure | undefined;
  /**
   * Returns the damage of stored objects that cannot be read, for keys with a prefix, in any order. An object may be
   * written again if `damageAt` has no failure for its key. Absent if `damageAt` is absent.
   */
  unreadable?(prefix: string): readonly Damage[];
  /**
   * Removes an object that `unreadable` names, for good. Watchers get no event, because they never saw the object.
   * Resolves to the failure; to `undefined` if the object was removed, or does not exist. Absent if `damageAt` is
   * absent.
   */
  evict?(key: Key): Promise<Failure | undefined>;
  /**
   * Reports whether a write should store an object even if it stays the same, because another key now encrypts its
   * resource. Absent if the store does not encrypt.
   */
  isStale?(entry: Pick<Entry, 'key' | 'revision'>): boolean;
  list(prefix: string, options?: ListOptions): Snapshot | RevisionProblem;
  /** Returns the number of keys with a prefix. Cheap, because the store counts its keys. */
  count(prefix: string): number;
  commit(change: Change): Promise<Commit>;
  /**
   * Delivers every change of a prefix after `from`, once and in order. Delivers the changes that are already in history
   * before it returns.
   */
  watch(prefix: string, from: Revision, sink: WatchSink): Subscription | RevisionProblem;
  /** 32 random bytes that all servers over the same data share; absent if there is only one server. */
  readonly secret?: Uint8Array;
  /** Resolves to true once the store has reached a revision, or to false after the timeout in milliseconds. */
  reached(revision: Revision, withinMs: number): Promise<boolean>;
  /**
   * Replaces all data of the store with these objects, which must be in key order. Resolves to the revision of the new
   * state. Each object gets a new revision, greater than `behind` and than any earlier revision of this store. Clients
   * can no longer list or watch earlier revisions, and watches end as `compacted`.
   *
   * Rejects with the error of the source or the backend. From the first change until it resolves, the data counts as
   * unfinished, even after a restart: a store with unfinished data only opens for another restore. If the store is
   * already open, it accepts no changes, confirms no reads, and reports the reason in `health`.
   *
   * `secret`, of 32 bytes, becomes the secret of this store, for a copy that takes the place of another store. The
   * secret stays the same if this is absent, or if the store has no secret.
   */
  restore(
    objects: Iterable<RestoredObject> | AsyncIterable<RestoredObject>,
    behind: Revision,
    secret?: Uint8Array,
  ): Promise<Revision>;
  /** Ends watches, waits for commits in flight, and closes the backend. */
  close(): Promise<void>;
}

/** Reads the selectable attributes of objects found at open. */
export interface AttributeReader {
  (key: Key, object: JsonObject): Attributes;
  /**
   * Loads the code that reading needs. A store waits for it before it reads the first object. It waits again before it
   * finishes opening, because objects in earlier versions may need more code.
   */
  readonly ready?: () => Promise<void> | void;
  /**
   * Reports, from their start and end, whether the bytes are a whole object in the current stored version. The store
   * reads such an object when it first needs the attributes. If absent, the store reads all objects at once.
   */
  readonly isCurrent?: (key: Key, bytes: Uint8Array) => boolean;
  /** Returns the attributes of such an object if it need not be fully decoded for them, else `undefined`. */
  readonly cutOut?: (key: Key, bytes: Uint8Array) => Attributes | undefined;
}
