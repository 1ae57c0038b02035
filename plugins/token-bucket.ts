/** Token buckets: how often something may happen over time, and how often at once. */

/** The rate of a bucket. */
export interface Rate {
  /** Tokens that come in per second. */
  readonly perSecond: number;
  /** Tokens that it holds at most, and from the start. */
  readonly burst: number;
}

/**
 * Takes a token, and returns 0; where there is none, returns the milliseconds until there is one. `now` is in
 * milliseconds, of a clock that never goes back.
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
