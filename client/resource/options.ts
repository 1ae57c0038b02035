/** Options of requests, as users of the SDK give them. */

/** Options that every request takes. */
export interface RequestOptions {
  /** Calls the request off: its promise rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** How long the request may take, milliseconds, in place of what the client has. */
  readonly timeoutMs?: number;
}

/** Options of reads of one object. */
export interface GetOptions extends RequestOptions {
  /** Not older than this; `0` for whatever is at hand. The latest where not given. */
  readonly resourceVersion?: string;
}

/** Options of writes. */
export interface WriteOptions extends RequestOptions {
  /** Goes through every stage but storing. */
  readonly dryRun?: boolean;
  /** The manager that will own the changed fields; the client's name by default. */
  readonly fieldManager?: string;
  /** How unknown fields are treated: with a warning by default. */
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict';
}

/** Which objects of a collection are meant. */
export interface Selection {
  /** As in `app=web,tier!=cache`. */
  readonly labelSelector?: string;
  /** As in `metadata.name=web`. */
  readonly fieldSelector?: string;
}

/** Options of reads of collections. */
export interface ListOptions extends Selection, RequestOptions {
  /** Objects per chunk; all at once where not given. */
  readonly limit?: number;
  /** Token of the chunk before. */
  readonly continue?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan';
}

/** Options of watches. */
export interface WatchOptions extends Selection, RequestOptions {
  /** Where to start; the present state comes first where not given. */
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'NotOlderThan';
  /** Has the present state come first, and a bookmark that marks its end; servers may not offer it. */
  readonly sendInitialEvents?: boolean;
  /** Whether to be told from time to time up to where everything has been told. */
  readonly allowWatchBookmarks?: boolean;
  /** After how many seconds the server ends the watch; half an hour or more where not given. */
  readonly timeoutSeconds?: number;
}

/** Options of deletes. */
export interface DeleteOptions extends RequestOptions {
  readonly dryRun?: boolean;
  readonly gracePeriodSeconds?: number;
  /** How dependents of the deleted object are treated. */
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground';
  /** Refuses with a conflict where the object is another one, or has changed. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/** The manager that will own the fields of the configuration, by either name of the option. */
type Applier =
  | { readonly manager: string; readonly fieldManager?: never }
  | { readonly fieldManager: string; readonly manager?: never };

/** Options of applies. */
export type ApplyOptions = Omit<WriteOptions, 'fieldManager'> &
  Applier & {
    /** Takes over fields that others own with other values. */
    readonly force?: boolean;
  };

/** Options of Tables. */
export interface TableOptions extends ListOptions {
  /** How much of each object comes with its row; its metadata where not given. */
  readonly includeObject?: 'None' | 'Metadata' | 'Object';
}
