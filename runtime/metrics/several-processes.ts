/** Combines the metrics of several processes of one server. */
import { HistogramSeries, type Metric, NumberSeries, type Sample, type Together } from './metric.js';
import { allMetrics } from './table.js';

/** The values of one metric in one process. They can be sent to another process. */
export interface MetricValues {
  readonly name: string;
  readonly series: readonly SeriesValue[];
}

/** A number with its labels, a histogram with its counts per bucket, or a sample with its labels by name. */
export type SeriesValue =
  | { readonly labels: readonly string[]; readonly value: number }
  | { readonly labels: readonly string[]; readonly sum: number; readonly counts: readonly number[] }
  | { readonly sample: Sample };

type Series = NumberSeries | HistogramSeries | Sample;

/** Returns the values of a metric; nothing if it has none. */
export function valuesOf({ name }: Metric, all: Iterable<Series>): readonly MetricValues[] {
  const series = Array.from(all, readSeries);
  return series.length === 0 ? [] : [{ name, series }];
}

function readSeries(one: Series): SeriesValue {
  if (one instanceof NumberSeries) return { labels: one.labels, value: one.value };
  if (one instanceof HistogramSeries) return { labels: one.labels, sum: one.sum, counts: [...one.counts] };
  return { sample: one };
}

/** Returns the values in the form that is printed. */
export function toSeries(metric: Metric, values: MetricValues | undefined): Iterable<Series> {
  return (values?.series ?? []).map((one) => {
    if ('sample' in one) return one.sample;
    if ('value' in one) {
      const number = new NumberSeries(one.labels);
      number.value = one.value;
      return number;
    }
    const histogram = new HistogramSeries(one.labels, metric.buckets ?? []);
    histogram.sum = one.sum;
    for (const [i, count] of one.counts.entries()) histogram.counts[i] = count;
    return histogram;
  });
}

/** Adds values up, or chooses one, as the metrics say. `own` comes from the process that answers no requests. */
export function metricsTogether(
  own: readonly MetricValues[],
  answering: readonly (readonly MetricValues[])[],
  metrics: readonly Metric[] = allMetrics,
): readonly MetricValues[] {
  const answers = answering.map(byName);
  const mine = byName(own);
  return metrics.flatMap(({ name, together: rule }) => {
    const from = rule === 'answering' ? answers : [mine, ...answers];
    const found = new Map<string, SeriesValue>();
    for (const one of from.flatMap((process) => process.get(name) ?? [])) {
      const key = keyOf(one);
      const before = found.get(key);
      found.set(key, before ? both(before, one, rule) : one);
    }
    return found.size === 0 ? [] : [{ name, series: [...found.values()] }];
  });
}

const byName = (values: readonly MetricValues[]): ReadonlyMap<string, readonly SeriesValue[]> =>
  new Map(values.map(({ name, series }) => [name, series]));

const keyOf = (one: SeriesValue): string =>
  'sample' in one ? JSON.stringify([one.sample.name, Object.entries(one.sample.labels)]) : JSON.stringify(one.labels);

function both(a: SeriesValue, b: SeriesValue, rule: Together | undefined): SeriesValue {
  if ('sample' in a)
    return 'sample' in b ? { sample: { ...a.sample, value: number(a.sample.value, b.sample.value, rule) } } : a;
  if ('value' in a) return 'value' in b ? { ...a, value: number(a.value, b.value, rule) } : a;
  if (!('counts' in b)) return a;
  return { ...a, sum: a.sum + b.sum, counts: a.counts.map((count, i) => count + (b.counts[i] ?? 0)) };
}

function number(a: number, b: number, rule: Together | undefined): number {
  if (rule === 'greatest') return Math.max(a, b);
  return rule === 'least' ? Math.min(a, b) : a + b;
}
