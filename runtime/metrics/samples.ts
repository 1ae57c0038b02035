/** Makes the samples of series: numbers with their labels, histograms with cumulated buckets. */
import type { Metric } from './metric.js';
import { printNumber } from './print-number.js';
import type { HistogramSeries, NumberSeries, Sample } from './series.js';

export const numberSamples = (metric: Metric, series: Iterable<NumberSeries>): readonly Sample[] =>
  [...series].map(({ labels, value }) => ({ labels: labelled(metric, labels), value }));

/** `asFloat`: whether bounds that are whole numbers are printed with a fraction, as OpenMetrics asks. */
export function histogramSamples(
  metric: Metric,
  series: Iterable<HistogramSeries>,
  asFloat: boolean,
): readonly Sample[] {
  const bounds = [...(metric.buckets ?? []), Number.POSITIVE_INFINITY].map((bound) => printNumber(bound, asFloat));
  return [...series].flatMap(({ labels: values, counts, sum }) => {
    const labels = labelled(metric, values);
    let value = 0;
    const buckets = counts.map((count, i) => {
      value += count;
      return { name: `${metric.name}_bucket`, labels: { ...labels, le: bounds[i] ?? '' }, value };
    });
    return [
      ...buckets,
      { name: `${metric.name}_sum`, labels, value: sum },
      { name: `${metric.name}_count`, labels, value },
    ];
  });
}

const labelled = ({ labels }: Metric, values: readonly string[]): Record<string, string> =>
  Object.fromEntries(labels.map((label, i) => [label, values[i] ?? '']));
