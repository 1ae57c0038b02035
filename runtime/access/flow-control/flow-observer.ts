/** The measurements that flow control reports of its work; metrics are made of them. */
import type { RefusalReason } from './refusal-reason.js';

/** Told of the requests of one flow schema in one priority level. Costs less than what it is told of. */
export interface FlowCounts {
  /** A request is executed, without having waited where `waitedMs` is absent. */
  dispatched(seats: number, waitedMs?: number): void;
  /** A request is being executed, and goes on to be when this turn of the event loop ends. */
  began(seats: number): void;
  /** Such a request has ended. */
  ended(seats: number): void;
  executed(ms: number, isWatch: boolean): void;
  /** A request waits, with so many others in its queue before it. */
  queued(before: number): void;
  /** A request waits no more. */
  unqueued(): void;
  /** A request is refused; it has waited where it was queued. */
  refused(reason: RefusalReason, waitedMs?: number): void;
}

/** The seats of a level when they were last adjusted. */
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
  /** The part of their targets that all levels got. */
  allotted(fairPart: number): void;
  /** There is no such level any more. */
  forgotten(level: string): void;
}
