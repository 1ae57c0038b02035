/** Metrics of the server apart from requests: admission and expressions, storage, controllers, and the process. */
import {
  admissionSeconds,
  counter,
  doubling,
  gauge,
  histogram,
  type MetricGroup,
  requestSeconds,
  usualSeconds,
  webhookSeconds,
} from './metric.js';

/** Bounds from ten nanoseconds to ten seconds, each ten times the previous one, as the reference computes them. */
const bounds: readonly number[] = [
  1e-8, 1e-7, 1e-6, 9.999999999999999e-6, 9.999999999999999e-5, 0.001, 0.01, 0.1, 1, 10,
];

const labels: readonly string[] = ['name'];

export const controllers = {
  heading: 'Controllers',
  metrics: {
    adds: counter('workqueue_adds_total', 'Keys that were added to the queue of a controller.', { labels }),
    depth: gauge('workqueue_depth', 'Keys that wait in the queue.', { labels }),
    retries: counter('workqueue_retries_total', 'Keys that were added again after a failure.', { labels }),
    queued: histogram('workqueue_queue_duration_seconds', 'Seconds that keys waited in the queue.', bounds, { labels }),
    worked: histogram('workqueue_work_duration_seconds', 'Seconds that the controller took for a key.', bounds, {
      labels,
    }),
    unfinished: gauge(
      'workqueue_unfinished_work_seconds',
      'Seconds that all keys in progress have taken so far, added up. If this only grows, a key is stuck.',
      { labels },
    ),
    longest: gauge(
      'workqueue_longest_running_processor_seconds',
      'Seconds that the key under way for longest has taken so far.',
      { labels, together: 'greatest' },
    ),
    running: gauge('kindforge_controller_running', '1 if a controller works, 0 if it does not yet or no longer work.', {
      labels,
      together: 'greatest',
    }),
    leading: gauge(
      'leader_election_master_status',
      'Whether this process is the one whose controllers work, 1 or 0, by the name of the lease.',
      { labels, together: 'greatest' },
    ),
    problems: counter('kindforge_controller_problems_total', 'Problems that a controller met; it goes on after each.', {
      labels,
    }),
  },
} as const satisfies MetricGroup;

const check = ['enforcement_action', 'policy', 'policy_binding', 'state', 'validation_result'];

export const admission = {
  heading: 'Admission and expressions',
  metrics: {
    steps: histogram(
      'apiserver_admission_step_admission_duration_seconds',
      'Seconds of a step of admission: all plugins that may change a write, or all that may only refuse it.',
      admissionSeconds,
      { labels: ['operation', 'rejected', 'type'], stability: 'STABLE' },
    ),
    plugins: histogram(
      'apiserver_admission_controller_admission_duration_seconds',
      'Seconds of one admission plugin.',
      admissionSeconds,
      { labels: ['name', 'operation', 'rejected', 'type'], stability: 'STABLE' },
    ),
    webhooks: histogram(
      'apiserver_admission_webhook_admission_duration_seconds',
      'Seconds in which one admission webhook was asked.',
      webhookSeconds,
      { labels: ['name', 'operation', 'rejected', 'type'], stability: 'STABLE' },
    ),
    webhookRequests: counter(
      'apiserver_admission_webhook_request_total',
      'Calls of admission webhooks by the code of the result; codes above 600 count as 600.',
      { labels: ['code', 'name', 'operation', 'rejected', 'type'] },
    ),
    webhookRejections: counter(
      'apiserver_admission_webhook_rejection_count',
      'Writes refused by an admission webhook, or because it failed.',
      { labels: ['error_type', 'name', 'operation', 'rejection_code', 'type'] },
    ),
    webhookFailOpen: counter(
      'apiserver_admission_webhook_fail_open_count',
      'Failures of admission webhooks for which no write was refused.',
      { labels: ['name', 'type'] },
    ),
    circuits: gauge(
      'kindforge_webhook_circuit_state',
      'Whether calls to a webhook or identity provider go out: 0 if so, 1 if they are stopped because it has not answered in time, 0.5 while one call tries it again.',
      { labels: ['target'], together: 'greatest' },
    ),
    conditionErrors: counter(
      'apiserver_admission_admission_match_condition_evaluation_errors_total',
      'Conditions of admission webhooks and policies that could not be evaluated.',
      { labels: ['name', 'type'] },
    ),
    policyChecks: counter(
      'apiserver_validating_admission_policy_check_total',
      'Evaluations of admission policies by enforcement action and result.',
      { labels: check },
    ),
    policySeconds: histogram(
      'apiserver_validating_admission_policy_check_duration_seconds',
      'Seconds of an evaluation of an admission policy.',
      [0.0000005, 0.001, 0.01, 0.1, 1],
      { labels: check },
    ),
    podSecurityJudgements: counter(
      'pod_security_evaluations_total',
      'Checks of pods against the pod security policies of their namespaces, by policy and decision.',
      {
        labels: [
          'decision',
          'mode',
          'ocp_namespace',
          'policy_level',
          'policy_version',
          'request_operation',
          'resource',
          'subresource',
        ],
      },
    ),
    podSecurityExemptions: counter(
      'pod_security_exemptions_total',
      'Writes of pods and workloads that are exempt from pod security.',
      { labels: ['request_operation', 'resource', 'subresource'] },
    ),
    compilation: histogram(
      'apiserver_cel_compilation_duration_seconds',
      'Seconds in which the expressions of a policy were compiled.',
      usualSeconds,
    ),
    evaluation: histogram(
      'apiserver_cel_evaluation_duration_seconds',
      'Seconds in which the expressions of a policy or a schema were evaluated for one object.',
      usualSeconds,
    ),
  },
} as const satisfies MetricGroup;

const resource = { labels: ['resource'] };

/** Labels that have a group of their own in later releases. */
const grouped = { ...resource, groupsFrom: '1.34' };

export const storage = {
  heading: 'Storage',
  metrics: {
    objects: gauge('apiserver_storage_objects', 'Stored objects by resource.', {
      ...resource,
      stability: 'STABLE',
      together: 'greatest',
    }),
    resourceObjects: gauge('apiserver_resource_objects', 'Stored objects by group and resource.', {
      labels: ['group', 'resource'],
      introduced: '1.34',
      together: 'greatest',
    }),
    lists: counter('apiserver_storage_list_total', 'Lists that were read from the store.', grouped),
    fetched: counter('apiserver_storage_list_fetched_objects_total', 'Objects that lists have read.', grouped),
    evaluated: counter(
      'apiserver_storage_list_evaluated_objects_total',
      'Objects that lists have compared with selectors.',
      grouped,
    ),
    returned: counter('apiserver_storage_list_returned_objects_total', 'Objects that lists have returned.', grouped),
    etcdSeconds: histogram(
      'etcd_request_duration_seconds',
      'Seconds of a request to etcd, or of a statement in PostgreSQL, if objects are stored there.',
      requestSeconds,
      { labels: ['operation', 'type'] },
    ),
    commitSeconds: histogram(
      'kindforge_storage_commit_duration_seconds',
      'Seconds until a batch of changes was durable, if the store is embedded or in PostgreSQL.',
      [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 5],
    ),
    commitChanges: counter('kindforge_storage_committed_changes_total', 'Changes that were made durable.'),
    damaged: counter(
      'kindforge_storage_damaged_objects_total',
      'Stored objects that were found damaged, at the start or later, and are not served.',
    ),
    revision: gauge('kindforge_storage_revision', 'The latest revision of the store.', { together: 'greatest' }),
    oldestRevision: gauge(
      'kindforge_storage_history_oldest_revision',
      'The oldest revision that can still be listed, and watched from.',
      { together: 'greatest' },
    ),
    historyBytes: gauge(
      'kindforge_storage_history_bytes',
      'Memory of earlier states and deleted objects, where the store tells.',
    ),
    objectBytes: gauge('kindforge_storage_object_bytes', 'Memory of all present objects, where the store tells.'),
    followerBehind: gauge(
      'kindforge_follower_behind_seconds',
      'Seconds for which a part of the server has been behind the stored objects; 0 if it is up to date.',
      { labels: ['follower'], together: 'greatest' },
    ),
    followerErrors: counter(
      'kindforge_follower_errors_total',
      'Faults of parts of the server that keep up with stored objects.',
      { labels: ['follower'] },
    ),
  },
} as const satisfies MetricGroup;

const transformation = ['transformation_type', 'transformer_prefix'];
const usedKey = ['key_id_hash', 'provider_name', 'transformation_type'];

export const encryption = {
  heading: 'Encryption at rest',
  metrics: {
    seconds: histogram(
      'apiserver_storage_transformation_duration_seconds',
      'Seconds in which a stored value was encrypted or decrypted.',
      doubling(0.000005, 25),
      { labels: transformation },
    ),
    operations: counter(
      'apiserver_storage_transformation_operations_total',
      'Stored values that were encrypted or decrypted, by the prefix of their key and by whether it succeeded.',
      { labels: ['status', ...transformation] },
    ),
    misses: counter(
      'apiserver_storage_envelope_transformation_cache_misses_total',
      'Keys that a key service had to decrypt.',
    ),
    keySeconds: histogram(
      'apiserver_storage_data_key_generation_duration_seconds',
      'Seconds in which a key was made that a key service then encrypted.',
      doubling(0.000005, 14),
    ),
    kmsSeconds: histogram(
      'apiserver_envelope_encryption_kms_operations_latency_seconds',
      'Seconds of a call of a key service.',
      doubling(0.0001, 20),
      { labels: ['grpc_status_code', 'method_name', 'provider_name'] },
    ),
    keyUses: counter('apiserver_envelope_encryption_key_id_hash_total', 'Uses of a key of a key service.', {
      labels: usedKey,
    }),
    keyUsedAt: gauge(
      'apiserver_envelope_encryption_key_id_hash_last_timestamp_seconds',
      'When a key of a key service was last used, in seconds since 1970.',
      { labels: usedKey, together: 'greatest' },
    ),
    keyNamedAt: gauge(
      'apiserver_envelope_encryption_key_id_hash_status_last_timestamp_seconds',
      'When a key service last said that it uses a key, in seconds since 1970.',
      { labels: ['key_id_hash', 'provider_name'], together: 'greatest' },
    ),
    invalidKeys: counter(
      'apiserver_envelope_encryption_invalid_key_id_from_status_total',
      'Answers of a key service with an id of a key that cannot be used.',
      { labels: ['error', 'provider_name'] },
    ),
    reloads: counter(
      'apiserver_encryption_config_controller_automatic_reload_success_total',
      'Times that the encryption configuration was read again.',
    ),
    failedReloads: counter(
      'apiserver_encryption_config_controller_automatic_reload_failures_total',
      'Times that a changed encryption configuration could not be used; the earlier one stays in use.',
    ),
    reloadedAt: gauge(
      'apiserver_encryption_config_controller_automatic_reload_last_timestamp_seconds',
      'When the encryption configuration was last read again, in seconds since 1970.',
      { labels: ['status'], together: 'greatest' },
    ),
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
