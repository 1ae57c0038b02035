/** The metrics of a work queue. Durations are seconds. */

/** The keys in flight at a moment. */
export interface KeysInFlight {
  /** How long all keys in flight have taken so far, in total. */
  readonly unfinishedSeconds: number;
  /** How long the slowest of them has taken. */
  readonly longestSeconds: number;
}

export interface QueueMetrics {
  /** Counts a key that was added and not in the queue. */
  added(): void;
  /** Counts a key that was added again after a failure. */
  retried(): void;
  /** Sets the number of keys in the queue, without delayed ones. */
  depth(keys: number): void;
  /** Records how long a key has waited. */
  queued(seconds: number): void;
  /** Records how long a key was in flight. */
  worked(seconds: number): void;
  /** Registers a function that returns the keys in flight. */
  observe(underWay: () => KeysInFlight): void;
}

/** For callers without metrics. */
export const noQueueMetrics: QueueMetrics = {
  added: () => {},
  retried: () => {},
  depth: () => {},
  queued: () => {},
  worked: () => {},
  observe: () => {},
};
