/** Metrics of the process, which the metrics library reads. Metrics of Node start at the first scrape. */
import { counter, gauge, histogram, type MetricGroup } from '../metric.js';

export const process = {
  heading: 'The process',
  metrics: {
    cpu: counter('process_cpu_seconds_total', 'Seconds of CPU time, of user and system.'),
    start: gauge('process_start_time_seconds', 'When the process started, in seconds since 1970.'),
    resident: gauge('process_resident_memory_bytes', 'Resident memory.'),
    virtual: gauge('process_virtual_memory_bytes', 'Virtual memory.'),
    virtualMax: gauge('process_virtual_memory_max_bytes', 'The limit of virtual memory.'),
    heap: gauge('process_heap_bytes', 'The size of the heap of the process.'),
    openFiles: gauge('process_open_fds', 'Open file descriptors.'),
    maxFiles: gauge('process_max_fds', 'The limit of file descriptors.'),
    lag: gauge('nodejs_eventloop_lag_seconds', 'How late the event loop is, at this moment.'),
    lagMean: gauge('nodejs_eventloop_lag_mean_seconds', 'How late the event loop was, on average.'),
    lagMax: gauge('nodejs_eventloop_lag_max_seconds', 'How late the event loop was, at most.'),
    lagP50: gauge('nodejs_eventloop_lag_p50_seconds', 'How late the event loop was, at the median.'),
    lagP99: gauge('nodejs_eventloop_lag_p99_seconds', 'How late the event loop was, at the 99th percentile.'),
    heapTotal: gauge('nodejs_heap_size_total_bytes', 'The size of the heap of JavaScript.'),
    heapUsed: gauge('nodejs_heap_size_used_bytes', 'The part of this heap that is in use.'),
    external: gauge('nodejs_external_memory_bytes', 'Memory outside of the heap, buffers among it.'),
    gc: histogram(
      'nodejs_gc_duration_seconds',
      'Seconds of garbage collection, by kind.',
      [0.001, 0.01, 0.1, 1, 2, 5],
      { labels: ['kind'] },
    ),
  },
} as const satisfies MetricGroup;

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
