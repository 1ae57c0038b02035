/** Metrics of storage, and of encryption at rest. */
import { counter, doubling, gauge, histogram, type MetricGroup, requestSeconds } from './metric.js';

const resource = { labels: ['resource'] };

/** Labels with a group label in later releases. */
const grouped = { ...resource, groupsFrom: '1.34' };

const asked = {
  labels: ['operation', 'type'],
  later: { '1.34': { labels: ['group', 'operation', 'resource'] } },
};

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
    resourceBytes: gauge('apiserver_resource_size_estimate_bytes', 'Bytes of stored objects by group and resource.', {
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
      asked,
    ),
    etcdRequests: counter('etcd_requests_total', 'Requests to etcd or PostgreSQL, if objects are stored there.', {
      ...asked,
      introduced: '1.28',
    }),
    etcdErrors: counter('etcd_request_errors_total', 'Requests to etcd that failed.', { ...asked, introduced: '1.28' }),
    decodeErrors: counter(
      'apiserver_storage_decode_errors_total',
      'Stored objects that could not be read, at the start or later.',
      { ...grouped, introduced: '1.28' },
    ),
    bytes: gauge('apiserver_storage_size_bytes', 'Bytes that the data takes on disk, in LMDB or etcd.', {
      labels: ['storage_cluster_id'],
      introduced: '1.28',
      later: { '1.32': { stability: 'STABLE' } },
      together: 'greatest',
    }),
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
      'Memory of earlier states and deleted objects, if the store reports it.',
    ),
    objectBytes: gauge('kindforge_storage_object_bytes', 'Memory of all present objects, if the store reports it.'),
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
