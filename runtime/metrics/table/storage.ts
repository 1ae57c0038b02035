/** Metrics of the store. */
import { counter, gauge, histogram, type MetricGroup, requestSeconds } from '../metric.js';

const resource = { labels: ['resource'] };

export const storage = {
  heading: 'Storage',
  metrics: {
    objects: gauge('apiserver_storage_objects', 'Stored objects by resource.', { ...resource, stability: 'STABLE' }),
    lists: counter('apiserver_storage_list_total', 'Lists that were read from the store.', resource),
    fetched: counter('apiserver_storage_list_fetched_objects_total', 'Objects that lists have read.', resource),
    evaluated: counter(
      'apiserver_storage_list_evaluated_objects_total',
      'Objects that lists have held against selectors.',
      resource,
    ),
    returned: counter('apiserver_storage_list_returned_objects_total', 'Objects that lists have answered.', resource),
    etcdSeconds: histogram(
      'etcd_request_duration_seconds',
      'Seconds of a request to etcd, where the store is in etcd.',
      requestSeconds,
      { labels: ['operation', 'type'] },
    ),
    commitSeconds: histogram(
      'kindforge_storage_commit_duration_seconds',
      'Seconds until a batch of changes was durable, where the store is embedded.',
      [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 5],
    ),
    commitChanges: counter('kindforge_storage_committed_changes_total', 'Changes that were made durable.'),
    revision: gauge('kindforge_storage_revision', 'The latest revision of the store.'),
    oldestRevision: gauge(
      'kindforge_storage_history_oldest_revision',
      'The oldest revision that can still be listed, and watched from.',
    ),
    historyBytes: gauge(
      'kindforge_storage_history_bytes',
      'Memory of earlier states and deleted objects, where the store tells.',
    ),
    objectBytes: gauge('kindforge_storage_object_bytes', 'Memory of all present objects, where the store tells.'),
    followerBehind: gauge(
      'kindforge_follower_behind_seconds',
      'Seconds since a part of the server has kept up with all stored objects; 0 while it does.',
      { labels: ['follower'] },
    ),
    followerErrors: counter(
      'kindforge_follower_errors_total',
      'Faults of parts of the server that keep up with stored objects.',
      { labels: ['follower'] },
    ),
  },
} as const satisfies MetricGroup;
