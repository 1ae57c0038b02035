/** The tables of docs/metrics.md and docs/metrics-storage.md. */
import type { Metric, MetricGroup } from '../../../runtime/metrics/index.js';
import { codes, table } from './page.js';

/** Prints the tables of the page, with a heading for each group. */
export const metricTables = (groups: readonly MetricGroup[]): string =>
  groups.map(({ heading, metrics }) => `## ${heading}\n\n${tableOf(Object.values(metrics))}\n`).join('\n');

const apiReleases = ({ introduced, removed }: Metric): string =>
  `${introduced === undefined ? '' : `; API from ${introduced}`}${removed === undefined ? '' : `; API before ${removed}`}`;

function tableOf(metrics: readonly Metric[]): string {
  const rows = metrics.map((metric) => [
    `\`${metric.name}\``,
    metric.type,
    metric.deprecated === undefined ? metric.help : `${metric.help} **Deprecated** since ${metric.deprecated}.`,
    codes(metric.labels),
    `${metric.stability}, ${metric.since}${apiReleases(metric)}${laterForms(metric)}`,
  ]);
  return table(['metric', 'type', 'meaning', 'labels', 'stability, since'], rows);
}

/** Returns the changes of a metric in releases of the API. */
const laterForms = ({ later = {} }: Metric): string =>
  Object.entries(later)
    .map(([release, { stability, labels, buckets }]) => {
      const named = labels && `labels ${codes(labels)}`;
      const bounds = buckets && 'other buckets';
      return `; ${[stability, named, bounds].filter((text) => text !== undefined).join(', ')} from API ${release}`;
    })
    .join('');
