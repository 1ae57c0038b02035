/** The cell of an autoscaler's metrics: the measured and the wanted values, as in `40%/80%, <unknown>/2k (avg)`. */
import type { MetricSpec, MetricStatus } from '../../generated/types/autoscaling/v2/types.js';
import type { Draft } from '../../runtime/contract/index.js';
import { sourceField } from './scaling-metrics.js';

const shown = 2;
const unknown = '<unknown>';

/** The text for the metrics of a spec, and for their states of a status, which are at the same places. */
export function metricsText(
  metrics: readonly Draft<MetricSpec>[] = [],
  states?: readonly Draft<MetricStatus>[] | null,
): string {
  if (metrics.length === 0) return '<none>';
  const texts = metrics.slice(0, shown).map((metric, i) => metricText(metric, states?.[i]));
  const rest = metrics.length > shown ? ` + ${metrics.length - shown} more...` : '';
  return texts.join(', ') + rest;
}

function metricText(metric: Draft<MetricSpec>, state: Draft<MetricStatus> = {}): string {
  const field = sourceField(metric.type);
  if (field === undefined) return '<unknown type>';
  const { target } = metric[field] ?? {};
  const { current } = state[field] ?? {};
  if (target?.averageValue !== undefined) {
    const mark = field === 'object' || field === 'external' ? ' (avg)' : '';
    return `${current?.averageValue || unknown}/${target.averageValue || unknown}${mark}`;
  }
  if (field === 'resource' || field === 'containerResource') {
    return `${percent(current?.averageUtilization) ?? unknown}/${percent(target?.averageUtilization) ?? '<auto>'}`;
  }
  return `${current?.value || unknown}/${target?.value || unknown}`;
}

const percent = (share: number | undefined): string | undefined => (share === undefined ? undefined : `${share}%`);
