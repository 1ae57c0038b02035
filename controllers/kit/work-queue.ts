/**
 * The work queue of a controller: keeps each key once, never gives out a key that is in flight, and delays failed keys
 * longer each time.
 */
import { type Clock, systemClock } from '../../client/index.js';
import { type Rate, reservingBucket } from '../../runtime/objects/token-bucket.js';
import { type KeysInFlight, noQueueMetrics, type QueueMetrics } from './queue-metrics.js';

/** Limits of the retries of failed keys. */
export interface RetryLimits {
  /** Delay after the first failure of a key, milliseconds; doubles with each. Default: 5. */
  readonly baseDelayMs?: number;
  /** Longest delay of a key, milliseconds. Default: 1,000,000. */
  readonly maxDelayMs?: number;
  /** Retries of all keys together, per second after a burst. Default: 10 after a burst of 100. */
  readonly rate?: Rate;
}

export interface WorkQueueOptions extends RetryLimits {
  readonly clock?: Clock;
  readonly metrics?: QueueMetrics;
}

const usualRate: Rate = { perSecond: 10, burst: 100 };

interface Delayed {
  readonly due: number;
  readonly cancel: () => void;
}

export class WorkQueue {
  readonly #clock: Clock;
  readonly #metrics: QueueMetrics;
  readonly #baseDelayMs: number;
  readonly #maxDelayMs: number;
  /** Takes one retry from the rate limit. Returns the milliseconds until it may run. */
  readonly #reserve: () => number;
  /** Waiting keys in order, with the time since when each waits. */
  readonly #waiting = new Map<string, number>();
  /** Keys in flight, with their start times. */
  readonly #underWay = new Map<string, number>();
  /** Keys that were added while in flight. They wait again after that. */
  readonly #again = new Map<string, number>();
  readonly #delayed = new Map<string, Delayed>();
  readonly #failures = new Map<string, number>();
  readonly #takers: ((key: string | undefined) => void)[] = [];
  #isClosed = false;

  constructor(options: WorkQueueOptions = {}) {
    this.#clock = options.clock ?? systemClock;
    this.#metrics = options.metrics ?? noQueueMetrics;
    this.#baseDelayMs = options.baseDelayMs ?? 5;
    this.#maxDelayMs = options.maxDelayMs ?? 1_000_000;
    this.#reserve = reservingBucket(options.rate ?? usualRate, () => this.#clock.monotonicMs());
    this.#metrics.observe(() => this.#figures());
  }

  /** The number of waiting keys, without delayed ones. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Puts a key at the end, unless it already waits. */
  add(key: string): void {
    if (this.#isClosed || this.#waiting.has(key) || this.#again.has(key)) return;
    this.#metrics.added();
    const now = this.#clock.monotonicMs();
    if (this.#underWay.has(key)) this.#again.set(key, now);
    else this.#enqueue(key, now);
  }

  /** Adds a key after a time. Of several times for one key, uses the earliest. */
  addAfter(key: string, ms: number): void {
    if (this.#isClosed) return;
    if (ms <= 0) {
      this.add(key);
      return;
    }
    const due = this.#clock.monotonicMs() + ms;
    const before = this.#delayed.get(key);
    if (before !== undefined && before.due <= due) return;
    before?.cancel();
    const cancel = this.#clock.after(ms, () => {
      this.#delayed.delete(key);
      this.add(key);
    });
    this.#delayed.set(key, { due, cancel });
  }

  /** Adds a failed key after a delay that doubles with each failure. Waits longer if many keys fail. */
  addFailed(key: string): void {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    this.#metrics.retried();
    const delayMs = Math.min(this.#baseDelayMs * 2 ** failures, this.#maxDelayMs);
    this.addAfter(key, Math.max(delayMs, this.#reserve()));
  }

  /** Returns how often a key has failed since its last success. */
  failures(key: string): number {
    return this.#failures.get(key) ?? 0;
  }

  /** Resets the failures of a key. */
  forget(key: string): void {
    this.#failures.delete(key);
  }

  /**
   * Resolves to the next key, once there is one, or to `undefined` when the queue is closed. The key is in flight until
   * `done`.
   */
  take(): Promise<string | undefined> {
    if (this.#isClosed) return Promise.resolve(undefined);
    const [next] = this.#waiting.keys();
    if (next !== undefined) return Promise.resolve(this.#begin(next));
    return new Promise((resolve) => this.#takers.push(resolve));
  }

  done(key: string): void {
    const since = this.#underWay.get(key);
    if (since === undefined) return;
    this.#underWay.delete(key);
    this.#metrics.worked((this.#clock.monotonicMs() - since) / 1000);
    const again = this.#again.get(key);
    if (again === undefined) return;
    this.#again.delete(key);
    if (!this.#isClosed) this.#enqueue(key, again);
  }

  /** Drops all keys, and resolves all waiting `take` calls. */
  close(): void {
    this.#isClosed = true;
    for (const { cancel } of this.#delayed.values()) cancel();
    for (const keys of [this.#delayed, this.#waiting, this.#again, this.#failures]) keys.clear();
    this.#metrics.depth(0);
    for (const taker of this.#takers.splice(0)) taker(undefined);
  }

  #enqueue(key: string, since: number): void {
    this.#waiting.set(key, since);
    this.#metrics.depth(this.#waiting.size);
    if (this.#takers.length > 0) this.#takers.shift()?.(this.#begin(key));
  }

  #begin(key: string): string {
    const now = this.#clock.monotonicMs();
    this.#metrics.queued((now - (this.#waiting.get(key) ?? now)) / 1000);
    this.#waiting.delete(key);
    this.#metrics.depth(this.#waiting.size);
    this.#underWay.set(key, now);
    return key;
  }

  #figures(): KeysInFlight {
    const now = this.#clock.monotonicMs();
    const seconds = [...this.#underWay.values()].map((since) => (now - since) / 1000);
    return {
      unfinishedSeconds: seconds.reduce((sum, one) => sum + one, 0),
      longestSeconds: seconds.reduce((longest, one) => Math.max(longest, one), 0),
    };
  }
}
