/** Histograms of Prometheus, and their quantiles. */
import type { Sample, Samples } from './parse.js';

/** For each time in seconds, the number of cases that took at most this time. */
export type Histogram = ReadonlyMap<number, number>;

/** Three quantiles, seconds; `undefined` without cases. */
export interface Quantiles {
  readonly p50: number | undefined;
  readonly p90: number | undefined;
  readonly p99: number | undefined;
}

/**
 * Adds up the buckets of a metric. `keyOf` returns the histogram of a sample, or `undefined` to leave the sample out.
 * `name` is the name of the histogram, without `_bucket`.
 */
export function histogramsOf(
  samples: Samples,
  name: string,
  keyOf: (sample: Sample) => string | undefined,
): ReadonlyMap<string, Histogram> {
  const found = new Map<string, Map<number, number>>();
  for (const sample of samples.get(`${name}_bucket`) ?? []) {
    const key = keyOf(sample);
    if (key === undefined) continue;
    const histogram = found.get(key) ?? new Map<number, number>();
    const most = sample.labels.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(sample.labels.le);
    histogram.set(most, (histogram.get(most) ?? 0) + sample.value);
    found.set(key, histogram);
  }
  return found;
}

/** Returns the sum of some histograms. */
export function sumOfHistograms(histograms: Iterable<Histogram>): Histogram {
  const sum = new Map<number, number>();
  for (const histogram of histograms)
    for (const [most, count] of histogram) sum.set(most, (sum.get(most) ?? 0) + count);
  return sum;
}

/** Returns the cases that `now` has and `before` does not have. */
export const between = (before: Histogram | undefined, now: Histogram): Histogram =>
  new Map([...now].map(([most, count]) => [most, count - (before?.get(most) ?? 0)]));

/** Returns the number of all cases. */
export const casesOf = (histogram: Histogram): number => histogram.get(Number.POSITIVE_INFINITY) ?? 0;

export const quantilesOf = (histogram: Histogram): Quantiles => ({
  p50: quantile(histogram, 0.5),
  p90: quantile(histogram, 0.9),
  p99: quantile(histogram, 0.99),
});

/**
 * Returns a quantile, interpolated within its bucket; the largest bound if it is beyond all buckets; `undefined`
 * without cases.
 */
export function quantile(histogram: Histogram, part: number): number | undefined {
  const buckets = [...histogram].sort(([a], [b]) => a - b);
  const rank = part * (buckets.at(-1)?.[1] ?? 0);
  if (rank <= 0) return undefined;
  let [from, below] = [0, 0];
  for (const [most, count] of buckets) {
    if (count >= rank) {
      if (!Number.isFinite(most)) return from;
      return from + ((most - from) * (rank - below)) / Math.max(count - below, 1e-9);
    }
    [from, below] = [most, count];
  }
  return from;
}
