/** The numbers of metrics: one series per set of labels. Callers look it up once and keep it. */
import type { Metric } from './metric.js';

/** One value of a series as it is printed. */
export interface Sample {
  /** Default: the metric's own name. */
  readonly name?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A number that grows or is set. */
export class NumberSeries {
  value = 0;
  constructor(readonly labels: readonly string[]) {}
}

/** Observed values by bucket. An observation costs one search for its bucket. */
export class HistogramSeries {
  sum = 0;
  /** The count of values per bucket, not cumulative; the last is for values above all bounds. */
  readonly counts: number[];

  constructor(
    readonly labels: readonly string[],
    private readonly bounds: readonly number[],
  ) {
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  observe(value: number): void {
    const { bounds, counts } = this;
    let at = 0;
    while (at < bounds.length && value > (bounds[at] ?? 0)) at++;
    counts[at] = (counts[at] ?? 0) + 1;
    this.sum += value;
  }
}

/** All series of one metric. */
export interface SeriesSet<S> {
  readonly metric: Metric;
  /** Returns the series of these label values, in the order of the metric's labels. */
  with(...labels: readonly string[]): S;
  readonly all: Iterable<S>;
  clear(): void;
}

function seriesSet<S>(metric: Metric, create: (labels: readonly string[]) => S): SeriesSet<S> {
  const known = new Map<string, S>();
  return {
    metric,
    with(...labels) {
      const key = labels.join('\0');
      const found = known.get(key);
      if (found !== undefined) return found;
      if (labels.length !== metric.labels.length) throw new TypeError(`${metric.name} has other labels`);
      const created = create(labels);
      known.set(key, created);
      return created;
    },
    get all() {
      return known.values();
    },
    clear: () => known.clear(),
  };
}

export const numbers = (metric: Metric): SeriesSet<NumberSeries> =>
  seriesSet(metric, (labels) => new NumberSeries(labels));

export const histograms = (metric: Metric): SeriesSet<HistogramSeries> =>
  seriesSet(metric, (labels) => new HistogramSeries(labels, metric.buckets ?? []));
