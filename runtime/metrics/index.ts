/** The entry point of metrics: their table, and the code that counts and shows them for one server. */
export { helpOf, isHidden, type Metric, type MetricGroup, minorOf, releaseBefore } from './metric.js';
export { Metrics } from './metrics.js';
export { nameOfModule, observerOf, storageObserverOf } from './observer.js';
export { watchProcess } from './process-metrics.js';
export { HistogramSeries, type NumberSeries, type SeriesSet } from './series.js';
export { allMetrics, metricGroups, metricTable } from './table/index.js';
