/** The types of representations, which lists, watches and writes share. */
import type { ApiObject, Entry, Failure, JsonObject, Revision } from '../../contract/index.js';
import type { ServedResource } from '../../resource/served-resource.js';

/** A chunk of a list. */
export interface Page {
  /** 0 for a list of objects that are not stored. */
  readonly revision: Revision;
  readonly entries: readonly Entry[];
  /** Whether the store has returned the same array before, so that its bytes may be worth keeping. */
  readonly repeated: boolean;
  /** Whether a selector chose the entries. Then they may not be consecutive in the store. */
  readonly selected: boolean;
  /** The token for the next chunk; empty at the end. */
  readonly continueToken: string;
  /** Absent if a selector chose the entries, and at the end. */
  readonly remainingItemCount?: number;
}

/**
 * The bytes of a list in order: chunks, or the pieces of a long list, made on demand. After an empty piece, other
 * requests get a turn.
 */
export type ListBytes = readonly Uint8Array[] | IterableIterator<Uint8Array>;

/** A form of objects. It has no state, so all requests for the same form can share its results. */
export interface Representation {
  /**
   * The key of the form in caches. Representations with the same key make the same bytes, but only in the same second
   * if the bytes contain an age.
   */
  readonly key: string;
  /** Returns the current second since 1970; absent if the bytes do not depend on it. */
  readonly second?: () => number;
  /** Whether it shows objects as rows of a table or by their metadata alone. */
  readonly transforms: boolean;
  readonly contentType: string;
  readonly streamContentType: string;
  /** The reason for refusing the requested form. */
  readonly refusal?: Failure;
  entry(resource: ServedResource, entry: Entry): Uint8Array;
  /** Encodes an object that is not stored in this form, such as the result of a dry run. */
  object(resource: ServedResource, object: ApiObject): Uint8Array;
  list(resource: ServedResource, page: Page): ListBytes;
  /** Encodes the object of a watch event. `first` is true for the first event of its watch. */
  event(resource: ServedResource, entry: Entry, first: boolean): Uint8Array;
  /** Encodes the object of a bookmark, which only has a revision and perhaps annotations. */
  bookmark(resource: ServedResource, revision: Revision, annotations?: JsonObject): Uint8Array;
  /** Encodes a Status in place of an object. */
  status(status: JsonObject): Uint8Array;
  /** Makes a frame of a watch around an object. */
  frame(type: WatchFrameType, object: Uint8Array): Uint8Array;
}

export type AnswerShape = 'object' | 'list' | 'stream';

/** How a watcher sees a change. */
export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/**
 * The type of a frame: an event, a bookmark, or the error that ends the watch. A bookmark has the revision up to which
 * all changes are sent.
 */
export type WatchFrameType = WatchEventType | 'BOOKMARK' | 'ERROR';
