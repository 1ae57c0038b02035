/** Token buckets: limit how often something may happen over time, and how often at once. */

export interface Rate {
  /** Tokens added per second. */
  readonly perSecond: number;
  /** The capacity; the bucket starts full. */
  readonly burst: number;
}

/**
 * Creates a bucket. Each call takes a token and returns 0, or returns the milliseconds until there is one. `now` is a
 * monotonic clock in milliseconds.
 */
export function tokenBucket({ perSecond, burst }: Rate, now: () => number = performance.now.bind(performance)) {
  let tokens = burst;
  let last = now();
  return (): number => {
    const time = now();
    tokens = Math.min(burst, tokens + ((time - last) / 1000) * perSecond);
    last = time;
    if (tokens >= 1) {
      tokens--;
      return 0;
    }
    return Math.ceil(((1 - tokens) / perSecond) * 1000);
  };
}
