/**
 * The extension point for a store that several servers share: the driver keeps the data and decides on every change.
 */
import type { Failure } from './failure.js';
import type { Attributes, Change, Entry, Key, RestoredObject, Revision } from './store.js';

/**
 * The number of a group of changes that were made together. Numbers ascend, and are revisions too: a group's number is
 * at most its last revision, and all revisions of later groups are greater than both.
 */
export type GroupNumber = Revision;

/** One object as the driver has it. */
export interface SharedRecord {
  readonly key: Key;
  /** The revision of its last change. */
  readonly revision: Revision;
  /** The object's JSON; its `metadata.resourceVersion` may hold anything. It is decrypted unless it is `locked`. */
  readonly value: Buffer;
  /** The reason if the value cannot be decrypted. */
  readonly locked?: string | undefined;
}

/** The point in the order of changes that an answer reflects. */
export interface SharedHeads {
  /** All groups up to this number are included. Never less than an earlier one, unless data was lost. */
  readonly number: GroupNumber;
  /** The last group that has changed an object. */
  readonly head: GroupNumber;
}

/** The result of `open`. */
export interface SharedOpened {
  /** Set if a restore began and did not end. */
  readonly unfinished: boolean;
  /** 32 random bytes that all servers share; absent if no server has made them yet and this server may not write. */
  readonly secret?: Uint8Array | undefined;
  /** The number from which `load` and `follow` have the whole history; absent if they have no history. */
  readonly historyFrom?: GroupNumber | undefined;
}

export interface SharedOpenOptions {
  /** Set if the driver may write nothing. It then does not upgrade data of an earlier format. */
  readonly readOnly: boolean;
  /** Set if the data will be replaced, whatever it is. */
  readonly replacing: boolean;
  /** The history that servers want, in milliseconds. */
  readonly windowMs: number;
}

/** Some objects of a state, in any order. */
export interface SharedPage {
  readonly records: readonly SharedRecord[];
  /** The number of objects in later pages. */
  readonly remaining: number;
}

/** The point that a loaded state reflects. */
export interface SharedState extends SharedHeads {
  /** The last revision assigned in that state. */
  readonly revision: Revision;
}

/** One change that was made. */
export interface SharedChange {
  readonly key: Key;
  readonly revision: Revision;
  /** The new state; absent for a delete. */
  readonly value?: Buffer | undefined;
  /** The last state of a deleted object for watchers, if it is not the stored one. */
  readonly last?: Buffer | undefined;
  /** The reason if the value cannot be decrypted. */
  readonly locked?: string | undefined;
  /**
   * The attributes of the value, or of the last state of a deleted object. If absent, the server reads them from it.
   */
  readonly attributes?: Attributes | undefined;
}

/** The changes that were made together. */
export interface SharedGroup {
  readonly number: GroupNumber;
  /** The last revision assigned to the group, even if the change for which it was meant was not made. */
  readonly revision: Revision;
  /** By ascending revision. */
  readonly changes: readonly SharedChange[];
  /** The `writer` of the driver that made them; absent if unknown. */
  readonly writer?: string | undefined;
}

/** Receives all groups in order. Its methods must not throw. */
export interface SharedFollower {
  /** Signals that from now on the follower receives every group. */
  begun(): void;
  group(group: SharedGroup): void;
  /** Signals that all groups up to a number have been delivered. */
  reached(number: GroupNumber): void;
  /** Signals the end of delivery. The error's `problem` is `compacted` if the state must be loaded again. */
  broken(error: Error): void;
}

/** A change for a driver to decide on. */
export interface SharedProposal extends Pick<Change, 'key' | 'expected' | 'next' | 'last' | 'guards' | 'ending'> {
  /** False for the delete of an absent object: the driver then only compares. */
  readonly writes: boolean;
}

export interface SharedCommitOptions {
  /** If set, the driver decides nothing unless this is the last group that has changed an object. */
  readonly head?: GroupNumber | undefined;
  /** The time limit of the call, in milliseconds. */
  readonly withinMs: number;
}

/**
 * The outcome of one proposal. `found` is the object that the key had, if any. A `failure` means that the driver did
 * not compare revisions: it refused the proposal, or does not know the outcome. The failure says which.
 */
export type SharedVerdict =
  | { readonly made: true; readonly revision: Revision }
  | { readonly made: false; readonly found?: SharedRecord | undefined; readonly failure?: Failure | undefined };

/**
 * The outcome of a group. `moved`: the driver has another head, and decided nothing. `superseded`: the data was
 * replaced after `open`; the driver decided nothing, and decides nothing until the next `open`.
 */
export type SharedCommit =
  | (SharedHeads & { readonly outcome: 'decided'; readonly verdicts: readonly SharedVerdict[] })
  | (SharedHeads & { readonly outcome: 'moved' })
  | { readonly outcome: 'superseded' };

/** Elects one server, which makes the driver forget old history. */
export interface SharedHousekeeping {
  /**
   * Makes this server the elected one for some seconds, unless another is. Resolves to whether this server is elected.
   */
  lead(seconds: number): Promise<boolean>;
  /** Forgets history that is older than the window, in milliseconds. Called a few times in each window. */
  forget(windowMs: number): Promise<void>;
  /** Lets another server be elected at once. Never rejects. */
  resign(): Promise<void>;
}

/**
 * A driver. All calls reject with a `DriverError` (`runtime/storage/shared/errors.ts`), which says whether a change may
 * have been made. A driver works on the data that `open` found. If that data is replaced, `follow` breaks with the
 * problem `superseded`, and so do the other calls.
 */
export interface SharedDriver {
  /** The name in messages, as in `etcd`. */
  readonly name: string;
  /** Identifies this server among the writers. */
  readonly writer: string;
  /**
   * The largest group that a call takes. A group of one change may be larger. `groups` is the most calls of `commit` at
   * a time; 1 by default. A driver that takes more decides on them in the order of the calls.
   */
  readonly limits: {
    readonly changes: number;
    readonly bytes: number;
    readonly guards: number;
    readonly groups?: number;
  };
  /** Finds the data, and creates or upgrades it if necessary. Called again after `replace` and after errors. */
  open(options: SharedOpenOptions): Promise<SharedOpened>;
  /**
   * Passes on all objects as they were at a number, or as they are now. Rejects as `compacted` if the history of the
   * number is gone, or goes meanwhile.
   */
  load(at: GroupNumber | undefined, take: (page: SharedPage) => Promise<void> | void): Promise<SharedState>;
  /** Begins to deliver all groups after a number. The returned function ends delivery at once. */
  follow(after: GroupNumber, follower: SharedFollower): () => void;
  /**
   * Decides on changes of different keys together. It decides each one by itself, on the state before all of them: a
   * change is made if its key has the expected revision and its guards hold. Only one call is in flight at a time.
   */
  commit(group: readonly SharedProposal[], options: SharedCommitOptions): Promise<SharedCommit>;
  /**
   * Returns the newest group that was acknowledged to any server, or `undefined` if the driver would have to ask.
   * Absent if it always has to ask.
   */
  newest?(): GroupNumber | undefined;
  /** Reads the heads, and an object if a key is given, after everything that was acknowledged before the call. */
  look(key?: Key): Promise<SharedHeads & { readonly found?: SharedRecord | undefined }>;
  /** Replaces all data, as `Store.restore` says. The objects come in key order. */
  replace(objects: AsyncIterable<RestoredObject>, behind: Revision, secret?: Uint8Array): Promise<void>;
  /** Absent if another program forgets history. */
  readonly housekeeping?: SharedHousekeeping | undefined;
  /**
   * Resolves to the reason why writes would be refused although reads are answered. Empty if writes are accepted, and
   * `undefined` if the driver does not know. Never rejects.
   */
  writeProblem?(): Promise<string | undefined>;
  /** Answers `Store.isStale` if another program behind the driver encrypts, instead of this server. */
  isStale?(entry: Pick<Entry, 'key' | 'revision'>): boolean;
  /** Uses another member or connection from now on, if there is one, because this one does not deliver. */
  leave?(): void;
  close(): Promise<void>;
}
