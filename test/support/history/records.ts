/** A history: the requests of concurrent clients to one collection and their answers, as records to compare. */
import type { Key, Revision } from '../../../runtime/contract/index.js';

/** A moment of the recording; the later of two has the larger number. */
export type Moment = number;

/** From the moment at which a client asked to the one at which it had the answer, or knew that there is none. */
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
  /** The value to store, which no other write of the history has; absent for a deletion. */
  readonly value?: string;
  /** The revision that the key must have; 0: it must not exist. Absent: whatever it has. */
  readonly expected?: Revision;
  /** The revision of the change; `refused` if the answer refuses it; `unknown` without a clear answer. */
  readonly outcome: Revision | 'refused' | 'unknown';
  /** The refusal, for messages. */
  readonly refusal?: string;
}

/** How fresh an answer must be. */
export interface Freshness {
  /** Whether everything that anybody knew when it was asked for must be in it. */
  readonly latest: boolean;
  /** It must not be older than this. */
  readonly notBefore?: Revision;
}

export interface GetRecord extends Span, Freshness {
  readonly key: Key;
  /** Absent if there was nothing. */
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

/** One connection of a watcher. If the watcher continues with another, that one begins at the last change. */
export interface WatchRecord {
  readonly from: Revision;
  readonly changes: readonly WatchedChange[];
}

/** All of it. The collection is empty when the recording begins. */
export interface History {
  readonly writes: readonly WriteRecord[];
  readonly gets: readonly GetRecord[];
  readonly lists: readonly ListRecord[];
  readonly watches: readonly WatchRecord[];
}

/** Something in a history that the promises of a store rule out. */
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
