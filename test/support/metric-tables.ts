/** The tables of the page about metrics, a heading for each group. */
import type { Metric, MetricGroup } from '../../runtime/metrics/index.js';

export const metricTables = (groups: readonly MetricGroup[]): string =>
  groups.map(({ heading, metrics }) => `## ${heading}\n\n${tableOf(Object.values(metrics))}\n`).join('\n');

function tableOf(metrics: readonly Metric[]): string {
  const rows = metrics.map((metric) => [
    `\`${metric.name}\``,
    metric.type,
    metric.deprecated === undefined ? metric.help : `${metric.help} **Deprecated** since ${metric.deprecated}.`,
    metric.labels.map((label) => `\`${label}\``).join(', '),
    `${metric.stability}, ${metric.since}`,
  ]);
  return [['metric', 'type', 'meaning', 'labels', 'stability, since'], ['---', '---', '---', '---', '---'], ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}
