/** The measurements that flow control reports for the metrics. */

/** Counts the requests of one flow schema in one priority level. Counting costs less than the counted work. */
export interface FlowCounts {
  /** Counts a request that is executed. `waitedMs` is absent if it did not wait. */
  dispatched(seats: number, waitedMs?: number): void;
  /** Counts a request that is still running when this turn of the event loop ends. */
  began(seats: number): void;
  /** Counts the end of such a request. */
  ended(seats: number): void;
  executed(ms: number, isWatch: boolean): void;
  /** Counts a request that is queued, with the number of requests before it. */
  queued(seats: number, before: number): void;
  /** Counts a request that leaves its queue. */
  unqueued(seats: number): void;
  /** Records how many watches see a write. */
  watched(watches: number): void;
  /** Counts a refused request. `waitedMs` is absent if it was not queued. */
  refused(reason: RefusalReason, waitedMs?: number): void;
}

/** The seats of a level at the last adjustment. */
export interface LevelFigures {
  readonly nominal: number;
  readonly lower: number;
  readonly upper: number;
  readonly limit: number;
  readonly target: number;
  readonly high: number;
  readonly average: number;
  readonly deviation: number;
  readonly smoothed: number;
}

export interface FlowObserver {
  counts(schema: string, level: string): FlowCounts;
  adjusted(level: string, figures: LevelFigures): void;
  /** Records the part of their targets that all levels got. */
  allotted(fairPart: number): void;
  /** Removes the series of a deleted level. */
  forgotten(level: string): void;
}

/** The reasons for refusals by flow control, as in metrics. */
export type RefusalReason = 'queue-full' | 'concurrency-limit' | 'time-out' | 'cancelled';
