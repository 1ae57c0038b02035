/**
 * How long the parts of a request may take to come. Watches, and bodies that come slowly, are not among what takes too
 * long.
 */

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
