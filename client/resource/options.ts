/** Options of requests, as users of the SDK give them. */

/** Options that every request takes. */
export interface RequestOptions {
  /** Ends the request: its promise rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** How long the request may take, milliseconds. Default: the limit of the client. */
  readonly timeoutMs?: number;
}

/** Options of reads of one object. */
export interface GetOptions extends RequestOptions {
  /** The result must not be older than this revision; `0` for any. Default: the latest. */
  readonly resourceVersion?: string;
}

export interface WriteOptions extends RequestOptions {
  /** Runs every stage except storing. */
  readonly dryRun?: boolean;
  /** The manager that will own the changed fields. Default: the client's name. */
  readonly fieldManager?: string;
  /** Whether unknown fields are ignored, or cause a warning or an error. Default: a warning. */
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict';
}

/** Selects objects of a collection. */
export interface Selection {
  /** As in `app=web,tier!=cache`. */
  readonly labelSelector?: string;
  /** As in `metadata.name=web`. */
  readonly fieldSelector?: string;
}

/** Options of reads of collections. */
export interface ListOptions extends Selection, RequestOptions {
  /** Objects per chunk. Default: all in one. */
  readonly limit?: number;
  /** Token of the chunk before. */
  readonly continue?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan';
}

/** Options of lists that are read chunk by chunk. */
export interface PageOptions extends ListOptions {
  /**
   * How a list continues if its pages are older than the server's history (410). `fail` throws. `restart` reads the
   * list again from its beginning, at a newer revision; after a second 410, in one chunk. `rest` reads the remaining
   * objects in one chunk, as they are now. Default: `fail`.
   */
  readonly whenExpired?: 'fail' | 'restart' | 'rest';
}

export interface WatchOptions extends Selection, RequestOptions {
  /** The start of the watch. Default: the current state comes first. */
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'NotOlderThan';
  /** Sends the current state first, and a bookmark at its end. Not all servers support it. */
  readonly sendInitialEvents?: boolean;
  /** Whether to get bookmarks: events that only have the revision up to which the server has sent everything. */
  readonly allowWatchBookmarks?: boolean;
  /** After how many seconds the server ends the watch. Default: half an hour or more. */
  readonly timeoutSeconds?: number;
  /** Called when the server has accepted the watch, before its first event. */
  readonly onOpen?: () => void;
}

export interface DeleteOptions extends RequestOptions {
  readonly dryRun?: boolean;
  readonly gracePeriodSeconds?: number;
  /** Whether dependents of the object are kept, deleted after it, or deleted before it. */
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground';
  /** Refuses with a conflict if the object is another one, or has changed. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/** The manager that will own the fields of the configuration, by either name of the option. */
type Applier =
  | { readonly manager: string; readonly fieldManager?: never }
  | { readonly fieldManager: string; readonly manager?: never };

/** Options of an apply: it names its field manager, and may take fields from others. */
export type ApplyOptions = Omit<WriteOptions, 'fieldManager'> &
  Applier & {
    /** Takes over fields that other managers own with other values. */
    readonly force?: boolean;
  };

export interface TableOptions extends ListOptions {
  /** How much of each object comes with its row. Default: its metadata. */
  readonly includeObject?: 'None' | 'Metadata' | 'Object';
}
