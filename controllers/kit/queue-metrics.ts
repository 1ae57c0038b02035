/** The figures of a work queue, as whoever shows them takes them. Durations are seconds. */

/** The work under way at a moment. */
export interface UnderWay {
  /** The time that all keys under way have taken so far, together. */
  readonly unfinishedSeconds: number;
  /** The time of the one that has taken longest. */
  readonly longestSeconds: number;
}

export interface QueueMetrics {
  /** A key was added that was not waiting already. */
  added(): void;
  /** A key was added again after a failure. */
  retried(): void;
  /** The keys that wait, delayed ones not among them. */
  depth(keys: number): void;
  /** How long a key has waited. */
  queued(seconds: number): void;
  /** How long a key was under way. */
  worked(seconds: number): void;
  /** Hands over how to ask for what is under way. */
  observe(underWay: () => UnderWay): void;
}

/** For who shows none. */
export const noQueueMetrics: QueueMetrics = {
  added: () => {},
  retried: () => {},
  depth: () => {},
  queued: () => {},
  worked: () => {},
  observe: () => {},
};
