/** All metrics of a server, in the order of their page. */
import { accessFiles } from './access-metrics.js';
import type { Metric, MetricGroup } from './metric.js';
import { access, flowControl, requests } from './request-metrics.js';
import { admission, controllers, encryption, process, server, storage } from './server-metrics.js';

export const metricTable = {
  requests,
  access,
  accessFiles,
  flowControl,
  admission,
  storage,
  encryption,
  controllers,
  server,
  process,
} as const;

export const metricGroups: readonly MetricGroup[] = Object.values(metricTable);

export const allMetrics: readonly Metric[] = metricGroups.flatMap(({ metrics }) => Object.values(metrics));
