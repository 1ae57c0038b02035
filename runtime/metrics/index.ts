/** The entry point of metrics: their table, and the code that counts and shows them for one server. */
export { authenticationObserverOf, authorizationObserverOf, tokenCounterOf } from './access-observer.js';
export {
  HistogramSeries,
  helpOf,
  isHidden,
  type Metric,
  type MetricGroup,
  minorOf,
  type NumberSeries,
  releaseBefore,
  type SeriesSet,
} from './metric.js';
export { Metrics } from './metrics.js';
export { all, encryptionObserverOf, hasOwnBuckets, nameOfModule, observerOf, storageObserverOf } from './observer.js';
export { watchProcess } from './process-metrics.js';
export { type MetricValues, metricsTogether } from './several-processes.js';
export { allMetrics, metricGroups, metricTable } from './table.js';
