/** The rules of faults: which requests fail, how, and how often. */

/** Selects requests that match every field. */
export interface FaultSelector {
  /** A verb as in rules of roles, such as `get`, `list`, `watch` or `deletecollection`, or a list of them. */
  readonly verb?: string | readonly string[];
  /** As in `widgets`, `widgets.shop.example.com`, or `widgets/status` for a subresource. */
  readonly resource?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** The prefix of the user agent, as in `my-controller/`. */
  readonly userAgent?: string;
}

/** Selects some of the matching requests. Default: all. */
export interface FaultCount {
  /** How many requests it selects: the first ones. */
  readonly times?: number;
  /** The numbers of the requests that it selects, counted from 1. */
  readonly nth?: number | readonly number[];
  /** The share of the requests that it selects, from 0 to 1. The seed decides which ones. */
  readonly probability?: number;
}

/** The status codes of faults. */
export type FaultStatus = 409 | 410 | 429 | 500 | 503 | 504;

/** Refuses a request. */
export interface StatusFault {
  readonly status: FaultStatus;
  readonly message?: string;
  /** The `Retry-After` header, in seconds. Default: 1 for 429 and 503, none for others. */
  readonly retryAfterSeconds?: number;
  /** Whether the server executes the request all the same. */
  readonly applied?: boolean;
}

/** Delays the answer, by the clock of the server. */
export interface SlowFault {
  readonly slowMs: number;
}

/** Breaks the connection before the answer. */
export interface DroppedFault {
  readonly dropped: true;
  /** Whether the server executes the request all the same. */
  readonly applied?: boolean;
}

/** Disturbs a watch. */
export interface WatchFault {
  /**
   * `drop` breaks off the watch, `half-open` leaves it open and silent, `no-bookmarks` leaves out its bookmarks, and
   * `expire` ends it with an event that its history is gone.
   */
  readonly watch: 'drop' | 'half-open' | 'no-bookmarks' | 'expire';
  /** The number of chunks from the server before the fault. Default: 0, for a fault at once. */
  readonly afterEvents?: number;
}

export type Fault = StatusFault | SlowFault | DroppedFault | WatchFault;

export type FaultRule = FaultSelector & FaultCount & { readonly fault: Fault };
