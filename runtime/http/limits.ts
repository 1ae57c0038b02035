/**
 * The limits of a server on times and sizes. Watches have no time limit. Neither have bodies that keep arriving: the
 * server only cuts off a body that has stopped.
 */

/** A body has stopped if fewer than `leastBytes` arrive in `windowMs`, in milliseconds. */
export interface Pace {
  readonly windowMs: number;
  readonly leastBytes: number;
}

export interface TimeLimits {
  /** The time for the headers, from the first byte or from the start of the connection, in milliseconds. */
  readonly headersMs: number;
  readonly bodyPace: Pace;
  /** The time for a connection without requests, in milliseconds. */
  readonly idleMs: number;
  /**
   * The time for the rest of a body that nobody reads, in milliseconds. Some clients only read the answer after they
   * have sent everything.
   */
  readonly restMs: number;
  /** The time for requests that are in flight when the server stops, in milliseconds. */
  readonly stopMs: number;
}

/**
 * Headers have as much time as in the reference. Every network is faster than two bytes per second; a slower client
 * only holds the connection open.
 */
export const usualLimits: TimeLimits = {
  headersMs: 32_000,
  bodyPace: { windowMs: 32_000, leastBytes: 64 },
  idleMs: 90_000,
  restMs: 5000,
  stopMs: 100,
};

export interface SizeLimits {
  /** The most bytes of all headers together; over HTTP/2, at most 16 KiB. */
  readonly headerBytes: number;
  /** The most headers of a request. */
  readonly headers: number;
  readonly urlBytes: number;
  /** The most open connections, over all addresses that the server listens on. */
  readonly connections: number;
  /** The most concurrent requests on one HTTP/2 connection, including watches. */
  readonly http2Streams: number;
}

/** The limits on headers and streams are the reference's; it does not limit the others. */
export const usualSizes: SizeLimits = {
  headerBytes: 1024 * 1024,
  headers: 25_000,
  urlBytes: 64 * 1024,
  connections: 10_000,
  http2Streams: 250,
};
