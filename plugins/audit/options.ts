/** How records are delivered, as all sinks have it. */

/**
 * `batch` answers requests without waiting for their records; `blocking` hands records over before, and goes on where that
 * fails; `blocking-strict` also refuses requests whose first record cannot be handed over.
 */
export type AuditMode = 'batch' | 'blocking' | 'blocking-strict';

/** Sizes and times of batches. */
export interface Batching {
  /** Records that may wait; more are lost. */
  readonly bufferSize: number;
  /** Records in one batch. */
  readonly maxSize: number;
  /** Milliseconds until a batch that is not full goes; 0 for as soon as possible. */
  readonly maxWaitMs: number;
  /** How many batches may go; absent for any number. */
  readonly throttle?: { readonly perSecond: number; readonly burst: number };
}

export interface Delivery {
  readonly mode: AuditMode;
  /** For the mode `batch`. */
  readonly batch: Batching;
}

/** Sizes in bytes that records and requests with records stay within. */
export interface Truncation {
  readonly maxEventBytes: number;
  readonly maxBatchBytes: number;
}
