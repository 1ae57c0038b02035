/** Metrics of the server apart from requests: controllers, the process, and what runs. */
import { betaFrom, counter, gauge, histogram, type MetricGroup } from './metric.js';

/** Bounds from ten nanoseconds to ten seconds, each ten times the previous one, as the reference computes them. */
const bounds: readonly number[] = [
  1e-8, 1e-7, 1e-6, 9.999999999999999e-6, 9.999999999999999e-5, 0.001, 0.01, 0.1, 1, 10,
];

const labels: readonly string[] = ['name'];

/** Labels of queues, and the release that gave their metrics a stronger promise. */
const queue = { labels, ...betaFrom('1.36') };

export const controllers = {
  heading: 'Controllers',
  metrics: {
    adds: counter('workqueue_adds_total', 'Keys that were added to the queue of a controller.', queue),
    depth: gauge('workqueue_depth', 'Keys that wait in the queue.', queue),
    retries: counter('workqueue_retries_total', 'Keys that were added again after a failure.', queue),
    queued: histogram('workqueue_queue_duration_seconds', 'Seconds that keys waited in the queue.', bounds, queue),
    worked: histogram('workqueue_work_duration_seconds', 'Seconds that the controller took for a key.', bounds, queue),
    unfinished: gauge(
      'workqueue_unfinished_work_seconds',
      'Seconds that all keys in progress have taken so far, added up. If this only grows, a key is stuck.',
      queue,
    ),
    longest: gauge(
      'workqueue_longest_running_processor_seconds',
      'Seconds that the slowest key in progress has taken so far.',
      { ...queue, together: 'greatest' },
    ),
    running: gauge('kindforge_controller_running', '1 if a controller works, 0 if it does not yet or no longer work.', {
      labels,
      together: 'greatest',
    }),
    leading: gauge('leader_election_master_status', 'Whether this process leads, 1 or 0, by the name of the lease.', {
      labels,
      together: 'greatest',
    }),
    problems: counter('kindforge_controller_problems_total', 'Problems that a controller met; it goes on after each.', {
      labels,
    }),
  },
} as const satisfies MetricGroup;

export const process = {
  heading: 'The process',
  metrics: {
    cpu: counter('process_cpu_seconds_total', 'Seconds of CPU time, of user and system.'),
    start: gauge('process_start_time_seconds', 'When the process started, in seconds since 1970.', {
      together: 'least',
    }),
    resident: gauge('process_resident_memory_bytes', 'Resident memory.'),
    virtual: gauge('process_virtual_memory_bytes', 'Virtual memory.'),
    virtualMax: gauge('process_virtual_memory_max_bytes', 'The limit of virtual memory.', { together: 'greatest' }),
    heap: gauge('process_heap_bytes', 'The size of the heap of the process.'),
    openFiles: gauge('process_open_fds', 'Open file descriptors.'),
    maxFiles: gauge('process_max_fds', 'The limit of file descriptors.', { together: 'greatest' }),
    lag: gauge('nodejs_eventloop_lag_seconds', 'How late the event loop is, at this moment.', { together: 'greatest' }),
    lagMean: gauge('nodejs_eventloop_lag_mean_seconds', 'How late the event loop was, on average.', {
      together: 'greatest',
    }),
    lagMax: gauge('nodejs_eventloop_lag_max_seconds', 'How late the event loop was, at most.', {
      together: 'greatest',
    }),
    lagP50: gauge('nodejs_eventloop_lag_p50_seconds', 'How late the event loop was, at the median.', {
      together: 'greatest',
    }),
    lagP99: gauge('nodejs_eventloop_lag_p99_seconds', 'How late the event loop was, at the 99th percentile.', {
      together: 'greatest',
    }),
    heapTotal: gauge('nodejs_heap_size_total_bytes', 'The size of the heap of JavaScript.'),
    heapUsed: gauge('nodejs_heap_size_used_bytes', 'The part of the JavaScript heap that is in use.'),
    external: gauge('nodejs_external_memory_bytes', 'Memory outside of the heap, buffers among it.'),
    gc: histogram(
      'nodejs_gc_duration_seconds',
      'Seconds of garbage collection, by kind.',
      [0.001, 0.01, 0.1, 1, 2, 5],
      { labels: ['kind'] },
    ),
  },
} as const satisfies MetricGroup;

/** The release that renamed the metrics about metrics. */
const renamed = '1.28';

export const server = {
  heading: 'The server',
  metrics: {
    build: gauge('platform_build_info', 'Always 1; the labels say which versions run.', {
      labels: ['git_version', 'major', 'minor', 'node_version', 'platform'],
      together: 'greatest',
    }),
    features: gauge('platform_feature_enabled', 'Whether a feature gate is on, by its name and stage.', {
      labels: ['name', 'stage'],
      ...betaFrom('1.28'),
      together: 'greatest',
    }),
    unavailable: gauge(
      'aggregator_unavailable_apiservice',
      'Whether the API server of an APIService does not answer, 1 or 0, by the name of the APIService.',
      { labels, together: 'greatest' },
    ),
    versions: gauge(
      'version_info',
      'Always 1; the labels say which release of the API is emulated, and the oldest one that it is compatible with.',
      { labels: ['binary', 'component', 'emulation', 'min_compat'], introduced: '1.34', together: 'greatest' },
    ),
    workers: gauge(
      'kindforge_workers',
      'Worker processes that answer requests; absent if one process does everything.',
    ),
    workerRestarts: counter(
      'kindforge_worker_restarts_total',
      'Worker processes that have ended and were started again.',
    ),
    registered: counter('registered_metric_total', 'Metrics that are registered.', {
      labels: ['deprecated_version', 'stability_level'],
      removed: renamed,
      together: 'greatest',
    }),
    hidden: counter('hidden_metric_total', 'Deprecated metrics that are no longer shown.', {
      removed: renamed,
      together: 'greatest',
    }),
    disabled: counter('disabled_metric_total', 'Metrics that are switched off.', {
      removed: renamed,
      together: 'greatest',
    }),
    registeredMetrics: counter('registered_metrics_total', 'Metrics that are registered.', {
      labels: ['deprecated_version', 'stability_level'],
      stability: 'BETA',
      introduced: renamed,
      together: 'greatest',
    }),
    hiddenMetrics: counter('hidden_metrics_total', 'Deprecated metrics that are no longer shown.', {
      stability: 'BETA',
      introduced: renamed,
      together: 'greatest',
    }),
    disabledMetrics: counter('disabled_metrics_total', 'Metrics that are switched off.', {
      stability: 'BETA',
      introduced: renamed,
      together: 'greatest',
    }),
  },
} as const satisfies MetricGroup;
