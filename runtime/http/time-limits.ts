/** The times that the parts of a request may take to come. Watches, and bodies that come slowly, may take longer. */

/** A body has stopped that brings less than `leastBytes` in `windowMs`, milliseconds. */
export interface Pace {
  readonly windowMs: number;
  readonly leastBytes: number;
}

/** The limits of a server. */
export interface TimeLimits {
  /** The headers, from the first byte or from the start of the connection, milliseconds. */
  readonly headersMs: number;
  readonly bodyPace: Pace;
  /** A connection without requests, milliseconds. */
  readonly idleMs: number;
  /** The rest of a body that nobody reads, milliseconds: a client may look for its answer only when it has sent all. */
  readonly restMs: number;
  /** Requests by open connections once the server stops, milliseconds: some are on their way. */
  readonly stopMs: number;
}

/**
 * Headers have the time that the reference gives them. Two bytes in a second are less than any line brings, and more
 * than it takes to only keep a connection.
 */
export const usualLimits: TimeLimits = {
  headersMs: 32_000,
  bodyPace: { windowMs: 32_000, leastBytes: 64 },
  idleMs: 90_000,
  restMs: 5000,
  stopMs: 100,
};

export interface SizeLimits {
  /** Bytes of all headers together; over HTTP/2 it is 16 KiB at most. */
  readonly headerBytes: number;
  /** Headers of a request. */
  readonly headers: number;
  readonly urlBytes: number;
  /** Open connections of all places where the server listens. */
  readonly connections: number;
  /** Requests at a time on one HTTP/2 connection, watches among them. */
  readonly http2Streams: number;
}

/** Headers and streams are as many as in the reference; it has no limit on the others. */
export const usualSizes: SizeLimits = {
  headerBytes: 1024 * 1024,
  headers: 25_000,
  urlBytes: 64 * 1024,
  connections: 10_000,
  http2Streams: 250,
};
