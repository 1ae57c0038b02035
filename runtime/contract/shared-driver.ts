/** The extension point for a store that several servers share: it keeps the data and decides on every change of it. */
import type { Failure } from './failure.js';
import type { Attributes, Change, Entry, Key, RestoredObject, Revision } from './store.js';

/**
 * The number of a group of changes that were made together. Numbers ascend, and are revisions themselves: a group's
 * number is at most its last revision, and all revisions of later groups are greater than both.
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

/** The place in the line of changes up to which a state goes. */
export interface SharedHeads {
  /** A number up to which the driver has given everything out. Never less than an earlier one, unless data was lost. */
  readonly number: GroupNumber;
  /** The last group that has changed an object. */
  readonly head: GroupNumber;
}

/** The findings of `open`. */
export interface SharedOpened {
  /** Set if a restore was begun and did not end. */
  readonly unfinished: boolean;
  /** 32 random bytes that all servers share; absent if nobody has made them, and this server may not. */
  readonly secret?: Uint8Array | undefined;
  /** The number from which `load` and `follow` give the whole history; absent if they cannot give any. */
  readonly historyFrom?: GroupNumber | undefined;
}

export interface SharedOpenOptions {
  /** Set if nothing may be written: data of an earlier format keeps it. */
  readonly readOnly: boolean;
  /** Set if the data will be replaced, whatever it is. */
  readonly replacing: boolean;
  /** The history that servers want, in milliseconds. */
  readonly windowMs: number;
}

/** Many objects of a state, in any order. */
export interface SharedPage {
  readonly records: readonly SharedRecord[];
  /** The number of objects behind it. */
  readonly remaining: number;
}

/** The end of a state that was loaded. */
export interface SharedState extends SharedHeads {
  /** The last revision given out at that state. */
  readonly revision: Revision;
}

/** One change that was made. */
export interface SharedChange {
  readonly key: Key;
  readonly revision: Revision;
  /** The new state; absent for a delete. */
  readonly value?: Buffer | undefined;
  /** The last state of a deleted object that watchers get, if it is not the stored one. */
  readonly last?: Buffer | undefined;
  /** The reason if the value cannot be decrypted. */
  readonly locked?: string | undefined;
  /** The attributes of the value, or of the last state of a deleted object; read from it if absent. */
  readonly attributes?: Attributes | undefined;
}

/** The changes that were made together. */
export interface SharedGroup {
  readonly number: GroupNumber;
  /** The last revision given out with it, even if a change that would have had it lost. */
  readonly revision: Revision;
  /** By ascending revision. */
  readonly changes: readonly SharedChange[];
  /** The `writer` of the driver that made them; absent if unknown. */
  readonly writer?: string | undefined;
}

/** Receives what happens, in order. Its methods must not throw. */
export interface SharedFollower {
  /** Notes that it receives everything from now on. */
  begun(): void;
  group(group: SharedGroup): void;
  /** Notes that nothing has happened up to a number. */
  reached(number: GroupNumber): void;
  /**
   * Notes that nothing else comes. The error's `problem` is `compacted` if the state must be loaded again.
   */
  broken(error: Error): void;
}

/** A change for a driver to decide on. */
export interface SharedProposal extends Pick<Change, 'key' | 'expected' | 'next' | 'last' | 'guards' | 'ending'> {
  /** False for the delete of an absent object, which only compares. */
  readonly writes: boolean;
}

export interface SharedCommitOptions {
  /** If set, nothing is decided unless this is the last group that has changed an object. */
  readonly head?: GroupNumber | undefined;
  /** Milliseconds until the call is given up. */
  readonly withinMs: number;
}

/**
 * The outcome of one proposal; `found` is the object that the key had, if it had one. With a `failure` the proposal was
 * not decided on by its revision: the driver has refused it, or does not know its outcome, as the failure says.
 */
export type SharedVerdict =
  | { readonly made: true; readonly revision: Revision }
  | { readonly made: false; readonly found?: SharedRecord | undefined; readonly failure?: Failure | undefined };

/**
 * The outcome of a group. `moved`: the head is another one, so nothing was decided. `superseded`: the data was replaced
 * since `open`, so nothing was decided, and nothing will be until the next `open`.
 */
export type SharedCommit =
  | (SharedHeads & { readonly outcome: 'decided'; readonly verdicts: readonly SharedVerdict[] })
  | (SharedHeads & { readonly outcome: 'moved' })
  | { readonly outcome: 'superseded' };

/** Elects one of all servers that lets the driver forget old history. */
export interface SharedHousekeeping {
  /** Stays the elected server, or becomes it if there is none, for some seconds. Resolves to whether it is. */
  lead(seconds: number): Promise<boolean>;
  /** Forgets what is older than the window, in milliseconds. Called a few times in each window. */
  forget(windowMs: number): Promise<void>;
  /** Lets another server be elected at once. Never rejects. */
  resign(): Promise<void>;
}

/**
 * A driver. All calls reject with a `DriverError` (`runtime/storage/shared/errors.ts`), which says whether a change may
 * have been made. After `open`, it works on the data as it was found: once somebody replaces that, `follow` breaks with
 * the problem `superseded`, and so do the other calls.
 */
export interface SharedDriver {
  /** The name in messages, as in `etcd`. */
  readonly name: string;
  /** Names this server among the writers. */
  readonly writer: string;
  /** The limits of a group; a group of one change may be larger. */
  readonly limits: { readonly changes: number; readonly bytes: number; readonly guards: number };
  /** Finds the data, and makes or upgrades it if necessary. Called again after `replace` and after errors. */
  open(options: SharedOpenOptions): Promise<SharedOpened>;
  /**
   * Hands over all objects as they were at a number, or as they are now. Rejects as `compacted` if the number is gone,
   * or goes meanwhile.
   */
  load(at: GroupNumber | undefined, take: (page: SharedPage) => Promise<void> | void): Promise<SharedState>;
  /** Begins to deliver all groups after a number. Returns what ends that, after which nothing is delivered. */
  follow(after: GroupNumber, follower: SharedFollower): () => void;
  /**
   * Decides on changes of different keys together, each by itself, on the state before all of them: a change is made if
   * its key has the expected revision, and its guards hold. Two calls are never in flight.
   */
  commit(group: readonly SharedProposal[], options: SharedCommitOptions): Promise<SharedCommit>;
  /**
   * Returns the newest group that anybody was answered, if that can be known at once; else `undefined`. Absent if it
   * never can.
   */
  newest?(): GroupNumber | undefined;
  /** Reads the heads, and an object if a key is given, after everything that was acknowledged before the call. */
  look(key?: Key): Promise<SharedHeads & { readonly found?: SharedRecord | undefined }>;
  /** Replaces all data, as `Store.restore` says. The objects come in key order. */
  replace(objects: AsyncIterable<RestoredObject>, behind: Revision, secret?: Uint8Array): Promise<void>;
  /** Absent if somebody else forgets history. */
  readonly housekeeping?: SharedHousekeeping | undefined;
  /**
   * Resolves to why writes would be refused although reads are answered; empty if they are not, `undefined` if nobody
   * can say. Never rejects.
   */
  writeProblem?(): Promise<string | undefined>;
  /** Answers `Store.isStale`, if somebody behind the driver encrypts instead of this server. */
  isStale?(entry: Pick<Entry, 'key' | 'revision'>): boolean;
  /** Uses another member or connection from now on, if there is one, since this one does not deliver. */
  leave?(): void;
  close(): Promise<void>;
}
