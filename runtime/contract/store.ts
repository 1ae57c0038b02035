/** The contract of storage: revisions, compare-and-set, snapshots and watches. */
import type { Failure } from './failure.js';
import type { JsonObject } from './json.js';

/**
 * A key is `<group>/<plural>/<namespace>/<name>`, or `<group>/<plural>/<name>` for cluster-scoped resources; the core
 * group is empty. A prefix ends in `/`, or is empty for everything; where a prefix is asked for, a whole key stands for
 * that key alone. Keys are ordered by their UTF-8 bytes.
 */
export type Key = string;

/** The store's counter: one total order of changes, from 1, never repeated, never going back, restarts included. */
export type Revision = number;

/** The labels and fields by which selectors find an object, read once when it is stored; its key says the rest. */
export interface Attributes {
  readonly labels: Readonly<Record<string, string>>;
  /** Values of the resource's selectable fields by path; an absent field is the empty string. */
  readonly fields: Readonly<Record<string, string>>;
  /**
   * Present where the object was stored in a version that is no longer the stored one, and is yet to be written
   * again.
   */
  readonly outdated?: true;
}

/**
 * One stored object. The bytes are JSON exactly as clients get it, resourceVersion included, and are never changed;
 * the store may replace the array by an equal one to save memory, so hold the entry rather than its bytes.
 */
export interface Entry {
  readonly key: Key;
  /** Revision of its last change; the same as its `metadata.resourceVersion`. */
  readonly revision: Revision;
  readonly bytes: Uint8Array;
  readonly attributes: Attributes;
  /** As in its attributes, which need not be read for it. */
  readonly outdated?: true | undefined;
}

/** How far a store is that reads its data when it is opened. */
export interface LoadProgress {
  /** Records that have been read. */
  readonly records: number;
  /** The part of the data that these are, from 0 to 1; absent where that cannot be told. */
  readonly share?: number | undefined;
}

/** Told now and then how far the opening of a store is. */
export type OnLoading = (progress: LoadProgress) => void;

/** An encoded object that waits for its revision. */
export interface EncodedObject {
  /** JSON in which `metadata.resourceVersion` is the empty string. */
  readonly text: string;
  /** Where in `text` the revision's digits belong. */
  readonly revisionAt: number;
  readonly attributes: Attributes;
}

/** One compare-and-set. */
export interface Change {
  readonly key: Key;
  /** The revision that the key must have; 0: the key must not exist. */
  readonly expected: Revision;
  /** The new state; absent to delete. */
  readonly next?: EncodedObject;
  /** The last state that watchers of a delete get; the stored one where absent. */
  readonly last?: EncodedObject;
  /** Set where `next` marks the object as being deleted: its size does not count, and neither does a full disk. */
  readonly ending?: true;
  /** Other keys that must have these revisions, durably, for the change to be made; none where absent. */
  readonly guards?: readonly Guard[];
  /** The state that the change was decided on without `confirm`: it is made only if that has been the latest. */
  readonly basis?: Basis | undefined;
}

/** The state of memory that a change is decided on before anybody has confirmed that it is the latest. */
export interface Basis {
  /** Whether others have changed something since, as far as memory shows by now. */
  readonly isOutdated: boolean;
  /** As the store's. After that, `isOutdated` says whether the state was the latest when the confirmation began. */
  confirm(): Failure | undefined | Promise<Failure | undefined>;
}

/** A key that must still have a revision. */
export interface Guard {
  readonly key: Key;
  readonly revision: Revision;
}

/**
 * The result of a change. `conflict` carries the entry that the key held instead of the expected one, which is
 * committed by now; nothing was written. A change whose guards do not hold, or may not for long, has `failed` as
 * `unguarded`, and one whose basis is not the latest state as `outdated`.
 */
export type Commit =
  | { readonly outcome: 'committed'; readonly entry: Entry }
  | { readonly outcome: 'conflict'; readonly current: Entry | undefined }
  | { readonly outcome: 'failed'; readonly failure: Failure; readonly unguarded?: true; readonly outdated?: true };

/**
 * One committed change as watchers see it. For `DELETED`, `entry` is the last state stamped with the delete's
 * revision.
 */
export interface StoreEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly revision: Revision;
  readonly entry: Entry;
  /** The state before; absent for `ADDED`. */
  readonly previous?: Entry;
}

/** Something that a label or a selectable field says. */
export interface Condition {
  readonly of: 'labels' | 'fields';
  /** A label's key, or the path of a field. */
  readonly key: string;
  /**
   * The allowed values, without repeats; without them the label only has to be there. An absent field is the empty
   * string.
   */
  readonly values?: readonly string[];
}

/** The conditions that entries of a list have to meet. */
export interface EntryFilter {
  /** All hold for every entry that `matches`, so that a store may look them up instead of asking each entry. */
  readonly conditions: readonly Condition[];
  matches(entry: Entry): boolean;
}

/** A part of the store's state at one revision. */
export interface Snapshot {
  readonly revision: Revision;
  /** In key order. */
  readonly entries: readonly Entry[];
  /** Whether keys with the prefix follow the last entry, even if they are filtered out. */
  readonly more: boolean;
  /** How many of them; only counted when `more`. */
  readonly remaining: number;
  /** Whether this very array was listed before, so that what is made of it may be worth keeping. */
  readonly repeated: boolean;
}

export interface ListOptions {
  /** The exact revision to list at; the latest where absent. */
  readonly at?: Revision;
  /** The largest number of entries; all where absent. */
  readonly limit?: number;
  /** Start after this key. */
  readonly after?: Key;
  /** Leave out the entries that do not match; all match where absent. */
  readonly only?: EntryFilter;
}

/** Receives a watch's events in order. Must not throw and must not block. */
export interface WatchSink {
  event(event: StoreEvent): void;
  /** The watch has ended by the store's doing: history lost, or the store was closed. Nothing follows. */
  ended(reason: 'compacted' | 'closed'): void;
}

export interface Subscription {
  /** Idempotent; nothing is delivered after it returns. */
  stop(): void;
}

/** An object on its way into a store by `restore`. */
export interface RestoredObject {
  readonly key: Key;
  readonly object: EncodedObject;
}

/** `compacted`: the revision is older than the history that is kept. `future`: the store has not reached it yet. */
export type RevisionProblem = 'compacted' | 'future';

/**
 * The store. Reads are answered from memory and see only what is durable to the backend's stated level. A commit
 * resolves after that point, and after every watcher has been handed the event.
 */
export interface Store {
  /** The latest committed revision. */
  readonly revision: Revision;
  /** The oldest revision that can be listed or watched from. */
  readonly oldestRevision: Revision;
  /**
   * Confirms that memory holds all that was acknowledged by anyone when the call began; the failure says why it could
   * not be confirmed. Embedded backends say so at once, without a promise.
   */
  confirm(): Failure | undefined | Promise<Failure | undefined>;
  /**
   * The state of memory now, for changes that are decided on it in place of waiting for `confirm`. Undefined where it is
   * likely that others will have changed something by then, and absent where nobody else can.
   */
  basis?(): Basis | undefined;
  /**
   * Resolves once filtered lists need no longer read objects for what they are selected by, of which a store with many
   * has much to do when it is opened; undefined where that is so.
   */
  selectable?(): Promise<void> | undefined;
  /** Why reads may be behind or writes would fail at present, for operators; empty while all is well. */
  health(): string;
  get(key: Key): Entry | undefined;
  list(prefix: string, options?: ListOptions): Snapshot | RevisionProblem;
  /** Number of keys with a prefix, by the store's own count. */
  count(prefix: string): number;
  commit(change: Change): Promise<Commit>;
  /** Delivers every change of a prefix after `from`, once, in order; those already in history before this returns. */
  watch(prefix: string, from: Revision, sink: WatchSink): Subscription | RevisionProblem;
  /**
   * Random bytes, 32 of them, that all servers over the same data have, now or later; absent where there is but one.
   */
  readonly secret?: Uint8Array;
  /** Resolves when the store has reached a revision, `false` when the wait (ms) was too short. */
  reached(revision: Revision, withinMs: number): Promise<boolean>;
  /**
   * Makes these objects, which come in key order, all that the store holds, and resolves to the revision of that state.
   * Each object gets a new revision, greater than `behind` and than all that this store ever gave out. Nothing from
   * before can be listed or watched from any more, and watches end as `compacted`.
   *
   * Rejects with what the source of the objects or the backend fails with. From the first change until it has resolved
   * the data counts as unfinished, restarts included: a store on it does not open but for another restore, and one that
   * is open takes no changes, confirms no reads, and says why in `health`.
   */
  restore(objects: Iterable<RestoredObject> | AsyncIterable<RestoredObject>, behind: Revision): Promise<Revision>;
  /** Ends watches, waits for commits under way, and releases the backend. */
  close(): Promise<void>;
}

/** Reads an object's selectable attributes, for entries found at open. */
export interface AttributeReader {
  (key: Key, object: JsonObject): Attributes;
  /**
   * Loads the code that reading needs. A store waits for it before it reads the first object, and again before it is
   * open, for the kinds of those objects that an earlier version has written.
   */
  readonly ready?: () => Promise<void> | void;
  /**
   * Whether these are the whole bytes of an object in the version that is stored now, by how they begin and end. Such an
   * object is read when its attributes are first asked for. All are read at once where this is absent.
   */
  readonly isCurrent?: (key: Key, bytes: Uint8Array) => boolean;
  /** The attributes of such an object where they can be had without decoding all of it; undefined where they cannot. */
  readonly cutOut?: (key: Key, bytes: Uint8Array) => Attributes | undefined;
}
