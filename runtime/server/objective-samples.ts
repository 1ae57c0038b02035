/** Durations as objectives of service ask for them: made of those of all requests when somebody reads them. */
import { HistogramSeries, type Metric, type Metrics, metricTable } from '../metrics/index.js';

/** Buckets that durations have below the first one of objectives. */
const finer = 2;

/**
 * Shows the two metrics of objectives from the durations of requests, so that a request is observed once: without those
 * that are open for long, and dry runs among the others.
 */
export function sampleObjectives(metrics: Metrics): void {
  const { duration, sli, slo } = metricTable.requests.metrics;
  for (const metric of [sli, slo]) metrics.derive(metric, () => objectives(metric, metrics.histogram(duration).all));
}

function objectives(metric: Metric, durations: Iterable<HistogramSeries>): readonly HistogramSeries[] {
  const merged = new Map<string, HistogramSeries>();
  for (const { labels, counts, sum } of durations) {
    const [component = '', _dryRun, ...rest] = labels;
    if (rest.includes('WATCH')) continue;
    const key = rest.join('\0');
    const series = merged.get(key) ?? new HistogramSeries([component, ...rest], metric.buckets ?? []);
    merged.set(key, series);
    series.sum += sum;
    for (const [i, count] of counts.entries()) {
      const at = Math.max(0, i - finer);
      series.counts[at] = (series.counts[at] ?? 0) + count;
    }
  }
  return [...merged.values()];
}
