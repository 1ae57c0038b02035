/** How an answer is made of objects: the types that lists, watches and writes share. */
import type { ApiObject, Entry, Failure, JsonObject, Revision } from '../../contract/index.js';
import type { ServedResource } from '../../resource/served-resource.js';

/** A chunk of a list. */
export interface Page {
  /** 0 for a list of what is not stored, which has no revision. */
  readonly revision: Revision;
  readonly entries: readonly Entry[];
  /** Whether this very array was listed before, so that what is made of it may be worth keeping. */
  readonly repeated: boolean;
  /** Whether a selector chose the entries, so that they need not follow each other in the store. */
  readonly selected: boolean;
  /** Token for the next chunk; empty at the end. */
  readonly continueToken: string;
  /** Absent where a selector filtered, and at the end. */
  readonly remainingItemCount?: number;
}

/**
 * The bytes of a list in order: chunks that are there, or, of a long one, pieces that are made when they are asked for.
 * Empty pieces let others have their turn.
 */
export type ListBytes = readonly Uint8Array[] | IterableIterator<Uint8Array>;

/** One form. It keeps no state, so that what it makes of an entry can be shared by all who ask for the same form. */
export interface Representation {
  /**
   * Names the form in caches; two representations with one key make the same bytes, in the same second where they
   * tell it.
   */
  readonly key: string;
  /** The present second, counted from 1970, where the bytes depend on it. */
  readonly second?: () => number;
  /** Whether objects are shown in another form than their own: as rows of a table, or by their metadata alone. */
  readonly transforms: boolean;
  readonly contentType: string;
  readonly streamContentType: string;
  /** Why nothing can be shown in the form that was asked for. */
  readonly refusal?: Failure;
  entry(resource: ServedResource, entry: Entry): Uint8Array;
  /** An object that is not stored as it is, such as the result of a dry run. */
  object(resource: ServedResource, object: ApiObject): Uint8Array;
  /** A list. */
  list(resource: ServedResource, page: Page): ListBytes;
  /** The object of a watch event; `first` is whether the watcher has got nothing before it. */
  event(resource: ServedResource, entry: Entry, first: boolean): Uint8Array;
  /** The object of a bookmark: it has nothing but a revision, and perhaps a mark. */
  bookmark(resource: ServedResource, revision: Revision, annotations?: JsonObject): Uint8Array;
  /** A Status, which stands for the object that there is none of. */
  status(status: JsonObject): Uint8Array;
  /** A frame of a watch around the object that it carries. */
  frame(type: WatchFrameType, object: Uint8Array): Uint8Array;
}

/** The shape of an answer. A stream is a watch. */
export type AnswerShape = 'object' | 'list' | 'stream';

/** How a watcher sees a change. */
export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** The type of a frame: an event, how far all changes have been sent, or why the watch ends. */
export type WatchFrameType = WatchEventType | 'BOOKMARK' | 'ERROR';
