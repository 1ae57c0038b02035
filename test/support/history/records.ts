/** A history: the requests of concurrent clients to one collection and their answers, as records to compare. */
import type { Key, Revision } from '../../../runtime/contract/index.js';

/** A moment of the recording. Later moments have larger numbers. */
export type Moment = number;

/** The time from a client's request to its answer, or until the client knew that no answer would come. */
export interface Span {
  readonly began: Moment;
  readonly ended: Moment;
}

/** One version of an object, as a client saw it. */
export interface Seen {
  readonly key: Key;
  readonly revision: Revision;
  readonly value: string;
}

export interface WriteRecord extends Span {
  readonly key: Key;
  /** The value to store, unique in the history; absent for a deletion. */
  readonly value?: string;
  /** The revision that the key must have; 0 if it must not exist. Absent to accept any. */
  readonly expected?: Revision;
  /** The revision of the change; `refused` if the answer refused it; `unknown` if no clear answer came. */
  readonly outcome: Revision | 'refused' | 'unknown';
  /** The refusal, to print in messages. */
  readonly refusal?: string;
}

/** The freshness that an answer must have. */
export interface Freshness {
  /** Whether the answer must contain everything that any client knew at the time of the request. */
  readonly latest: boolean;
  /** The oldest revision that the answer may have. */
  readonly notBefore?: Revision;
}

export interface GetRecord extends Span, Freshness {
  readonly key: Key;
  /** Absent if the key did not exist. */
  readonly found?: Seen;
}

export interface ListRecord extends Span, Freshness {
  /** The exact revision that was requested. */
  readonly exactly?: Revision;
  /** The revision that the collection had in each chunk. */
  readonly revisions: readonly Revision[];
  readonly entries: readonly Seen[];
}

export interface WatchedChange extends Seen {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly at: Moment;
}

/** One connection of a watcher. If the watcher reconnects, the next connection begins at the last change. */
export interface WatchRecord {
  readonly from: Revision;
  readonly changes: readonly WatchedChange[];
}

/** A whole history. The collection is empty at the start. */
export interface History {
  readonly writes: readonly WriteRecord[];
  readonly gets: readonly GetRecord[];
  readonly lists: readonly ListRecord[];
  readonly watches: readonly WatchRecord[];
}

/** Something in a history that breaks the promises of a store. */
export interface Violation {
  readonly rule:
    | 'lost write'
    | 'double win'
    | 'applied twice'
    | 'phantom'
    | 'repeated revision'
    | 'revision went back'
    | 'missed change'
    | 'repeated change'
    | 'wrong type'
    | 'stale read'
    | 'wrong state';
  readonly message: string;
}
