/** Counts the work of storage, and of encryption at rest. */
import { createHash } from 'node:crypto';
import type { EncryptionObserver, StorageObserver } from '../contract/index.js';
import type { HistogramSeries } from './metric.js';
import type { Metrics } from './metrics.js';
import { resourceName } from './observer.js';
import { metricTable } from './table.js';

/** Returns the observer of storage. */
export function storageObserverOf(metrics: Metrics): StorageObserver {
  const { storage } = metricTable;
  const commits: HistogramSeries = metrics.histogram(storage.metrics.commitSeconds).with();
  const changes = metrics.number(storage.metrics.commitChanges).with();
  const asked = metrics.histogram(storage.metrics.etcdSeconds);
  const [requests, errors] = [metrics.number(storage.metrics.etcdRequests), metrics.number(storage.metrics.etcdErrors)];
  const damaged = metrics.number(storage.metrics.damaged).with();
  const count = (operation: string, type: string, seconds: number): void => {
    const labels = { operation, type, resource: type };
    asked.at(labels).observe(seconds);
    requests.at(labels).value++;
  };
  return {
    committed(count, seconds) {
      commits.observe(seconds);
      changes.value += count;
    },
    asked: count,
    failed(operation, type, seconds) {
      count(operation, type, seconds);
      errors.at({ operation, type, resource: type }).value++;
    },
    sized(cluster, bytes) {
      metrics.number(storage.metrics.bytes).with(cluster).value = bytes;
    },
    damaged(key) {
      damaged.value++;
      const [group = '', plural = ''] = key.split('/');
      metrics.number(storage.metrics.decodeErrors).with(plural === '' ? '' : resourceName(group, plural)).value++;
    },
  };
}

/** Returns the observer of encryption at rest. */
export function encryptionObserverOf(metrics: Metrics): EncryptionObserver {
  const table = metricTable.encryption.metrics;
  const [seconds, keySeconds, kmsSeconds] = [
    metrics.histogram(table.seconds),
    metrics.histogram(table.keySeconds).with(),
    metrics.histogram(table.kmsSeconds),
  ];
  const [operations, misses, keyUses, keyUsedAt, keyNamedAt] = [
    metrics.number(table.operations),
    metrics.number(table.misses).with(),
    metrics.number(table.keyUses),
    metrics.number(table.keyUsedAt),
    metrics.number(table.keyNamedAt),
  ];
  const hashes = new Map<string, string>();
  const hashOf = (keyId: string): string => {
    const known = hashes.get(keyId) ?? `sha256:${createHash('sha256').update(keyId).digest('hex')}`;
    hashes.set(keyId, known);
    return known;
  };
  return {
    transformed(type, prefix, took, problem) {
      operations.with(problem === '' ? 'OK' : 'unknown-non-grpc', type, prefix).value++;
      if (problem === '') seconds.with(type, prefix).observe(took);
    },
    asked: (provider, method, took, code) => kmsSeconds.with(code, method, provider).observe(took),
    keyUsed(type, provider, keyId) {
      const labels = [hashOf(keyId), provider, type];
      keyUses.with(...labels).value++;
      keyUsedAt.with(...labels).value = Date.now() / 1000;
    },
    statusKey(provider, keyId) {
      keyNamedAt.with(hashOf(keyId), provider).value = Date.now() / 1000;
    },
    invalidKey(provider, error) {
      metrics.number(table.invalidKeys).with(error, provider).value++;
    },
    missed() {
      misses.value++;
    },
    made: (took) => keySeconds.observe(took),
    reloaded(used) {
      metrics.number(used ? table.reloads : table.failedReloads).with().value++;
      metrics.number(table.reloadedAt).with(used ? 'success' : 'failure').value = Date.now() / 1000;
    },
  };
}
