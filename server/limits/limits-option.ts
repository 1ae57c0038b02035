/** The options of how much clients may ask for. */

export interface LimitsOption {
  /**
   * Whether flow schemas and priority levels share `requests` and `mutatingRequests` together. Without, each of both is a
   * limit by itself, and 0 is none. Default: true.
   */
  readonly fairness?: boolean;
  /** Reading requests in progress. Default: 400. */
  readonly requests?: number;
  /** Writing requests in progress. Default: 200. */
  readonly mutatingRequests?: number;
  /** The longest time that a request can ask for, milliseconds; it waits for its turn a quarter of it. Default: 60000. */
  readonly requestTimeoutMs?: number;
  /** Bytes of the body of a request; a longer one is a 413. Default: 3 MiB. */
  readonly bodyBytes?: number;
  /** Bytes of all headers together; more are a 431. Over HTTP/2 it is 16 KiB at most. Default: 1 MiB. */
  readonly headerBytes?: number;
  /** Headers of a request; more are a 431. Default: 25000. */
  readonly headers?: number;
  /** Bytes of a URL; a longer one is a 414. Default: 64 KiB. */
  readonly urlBytes?: number;
  /** Time until all headers are there, milliseconds; past it there is a 408. Default: 32000. */
  readonly headerTimeoutMs?: number;
  /** Time that a connection stays open without a request, milliseconds. Default: 90000. */
  readonly idleTimeoutMs?: number;
  /** Open connections in all; requests on further ones get a 503. Default: 10000. */
  readonly connections?: number;
  /** Open connections of one user; requests on further ones get a 429. Default: 5000. */
  readonly connectionsPerUser?: number;
  /** Requests at a time on one HTTP/2 connection. Default: 250. */
  readonly http2Streams?: number;
  /** Bytes of changes that wait for one watcher, whose watch then ends. Default: 16 MiB. */
  readonly watchBufferBytes?: number;
}
