/** All metrics of a server, in the order of their page. */
import type { Metric, MetricGroup } from '../metric.js';
import { access } from './access.js';
import { admission } from './admission.js';
import { controllers } from './controllers.js';
import { flowControl } from './flow-control.js';
import { process, server } from './process.js';
import { requests } from './requests.js';
import { storage } from './storage.js';

export const metricTable = { requests, access, flowControl, admission, storage, controllers, server, process } as const;

export const metricGroups: readonly MetricGroup[] = Object.values(metricTable);

export const allMetrics: readonly Metric[] = metricGroups.flatMap(({ metrics }) => Object.values(metrics));
