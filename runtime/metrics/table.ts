/** All metrics of a server, in the order of their page. */
import { access, accessFiles } from './access-metrics.js';
import { admission, kinds } from './admission-metrics.js';
import type { Metric, MetricGroup } from './metric.js';
import { flowControl, requests } from './request-metrics.js';
import { controllers, process, server } from './server-metrics.js';
import { encryption, storage } from './storage-metrics.js';

export const metricTable = {
  requests,
  access,
  accessFiles,
  flowControl,
  admission,
  kinds,
  storage,
  encryption,
  controllers,
  server,
  process,
} as const;

export const metricGroups: readonly MetricGroup[] = Object.values(metricTable);

export const allMetrics: readonly Metric[] = metricGroups.flatMap(({ metrics }) => Object.values(metrics));
