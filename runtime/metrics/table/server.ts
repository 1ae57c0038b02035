/** Metrics of the server as a whole: its release and gates, and its metrics. */
import { counter, gauge, type MetricGroup } from '../metric.js';

export const server = {
  heading: 'The server',
  metrics: {
    build: gauge('platform_build_info', 'Always 1; the labels are what runs.', {
      labels: ['git_version', 'major', 'minor', 'node_version', 'platform'],
    }),
    features: gauge('platform_feature_enabled', 'Whether a feature gate is on, by its name and stage.', {
      labels: ['name', 'stage'],
    }),
    registered: counter('registered_metric_total', 'Metrics that are registered.', {
      labels: ['deprecated_version', 'stability_level'],
    }),
    hidden: counter('hidden_metric_total', 'Deprecated metrics that are no longer shown.'),
    disabled: counter('disabled_metric_total', 'Metrics that are switched off.'),
  },
} as const satisfies MetricGroup;
