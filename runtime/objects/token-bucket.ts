/** Token buckets: limit the rate of something, and the burst. */

export interface Rate {
  /** Tokens added per second. */
  readonly perSecond: number;
  /** The capacity; the bucket starts full. */
  readonly burst: number;
}

/** Returns a monotonic time in milliseconds. */
type Now = () => number;

const machineTime: Now = () => performance.now();

/**
 * Creates a bucket. Each call takes a token and returns 0, or returns the milliseconds until the next token. `now` is a
 * monotonic clock in milliseconds.
 */
export function tokenBucket(rate: Rate, now?: Now): () => number {
  const bucket = new Bucket(rate, now);
  return () => {
    const waitMs = bucket.waitMs();
    if (waitMs === 0) bucket.take();
    return waitMs;
  };
}

/**
 * Creates a bucket. Each call takes a token, even a future one, and returns the milliseconds until the token is there.
 * Callers that wait this long keep the rate.
 */
export function reservingBucket(rate: Rate, now?: Now): () => number {
  const bucket = new Bucket(rate, now);
  return () => {
    const waitMs = bucket.waitMs();
    bucket.take();
    return waitMs;
  };
}

class Bucket {
  readonly #rate: Rate;
  readonly #now: Now;
  /** Negative if callers have taken future tokens. */
  #tokens: number;
  #last: number;

  constructor(rate: Rate, now: Now = machineTime) {
    this.#rate = rate;
    this.#now = now;
    this.#tokens = rate.burst;
    this.#last = now();
  }

  /** Returns the milliseconds until there is a token. */
  waitMs(): number {
    const { perSecond, burst } = this.#rate;
    const now = this.#now();
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#last) / 1000) * perSecond);
    this.#last = now;
    return this.#tokens >= 1 ? 0 : Math.ceil(((1 - this.#tokens) / perSecond) * 1000);
  }

  take(): void {
    this.#tokens--;
  }
}
