/** The rules of faults: which requests go wrong, how, and how often. */

/** The requests that a rule is about: those that meet all that it says. */
export interface FaultSelector {
  /**
   * As rules of roles have it, such as `get`, `list`, `watch` or `deletecollection`; one of them, where there are
   * several.
   */
  readonly verb?: string | readonly string[];
  /** As in `widgets`, `widgets.shop.example.com`, or `widgets/status` for a subresource. */
  readonly resource?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** The client's name for itself begins so, as in `my-controller/`. */
  readonly userAgent?: string;
}

/** Which of the requests that a selector is about. All of them, where nothing is said. */
export interface FaultCount {
  /** The first so many. */
  readonly times?: number;
  /** These ones, counted from 1. */
  readonly nth?: number | readonly number[];
  /** So many of a hundred, as a number from 0 to 1; which ones follows from the seed. */
  readonly probability?: number;
}

/** The answers that a fault may be. */
export type FaultStatus = 409 | 410 | 429 | 500 | 503 | 504;

/** Refuses a request. */
export interface StatusFault {
  readonly status: FaultStatus;
  readonly message?: string;
  /** The `Retry-After` header, in seconds; 429 and 503 say 1 where nothing is given. */
  readonly retryAfterSeconds?: number;
  /** The server does as it was asked, and the client is told otherwise. */
  readonly applied?: boolean;
}

/** Answers late, by the clock of the server, and as it would have. */
export interface SlowFault {
  readonly slowMs: number;
}

/** Breaks the connection off before there is an answer. */
export interface DroppedFault {
  readonly dropped: true;
  /** The server does as it was asked all the same. */
  readonly applied?: boolean;
}

/** The fate of a watch. */
export interface WatchFault {
  /**
   * `drop` breaks it off, `half-open` leaves it open and silent, `no-bookmarks` leaves out bookmarks, `expire` ends it by
   * an event that says that its history is gone.
   */
  readonly watch: 'drop' | 'half-open' | 'no-bookmarks' | 'expire';
  /** After so many pieces that the server sends. Default: 0, which is at once. */
  readonly afterEvents?: number;
}

export type Fault = StatusFault | SlowFault | DroppedFault | WatchFault;

export type FaultRule = FaultSelector & FaultCount & { readonly fault: Fault };
