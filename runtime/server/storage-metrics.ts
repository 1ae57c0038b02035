/** Reads the figures of the store and the followers when metrics are shown. */
import type { Store } from '../contract/index.js';
import type { Followers } from '../follow.js';
import { type Metrics, metricTable, nameOfModule } from '../metrics/index.js';
import type { Registry } from '../registry/registry.js';

export function collectStorage(metrics: Metrics, store: Store, registry: Registry): void {
  const { objects, resourceObjects, revision, oldestRevision, historyBytes, objectBytes } = metricTable.storage.metrics;
  metrics.collect(() => {
    const counts = metrics.number(objects);
    counts.clear();
    const byGroup = metrics.number(resourceObjects);
    byGroup.clear();
    for (const stored of new Set(registry.resources.map((resource) => resource.stored))) {
      if (stored.virtualHandlers.has('')) continue;
      const { group, names } = stored.module;
      const count = store.count(stored.keyPrefix);
      counts.with(nameOfModule(stored.module)).value = count;
      byGroup.with(group, names.plural).value = count;
    }
    metrics.number(revision).with().value = store.revision;
    metrics.number(oldestRevision).with().value = store.oldestRevision;
    const figures = 'statistics' in store ? store.statistics : undefined;
    if (isFigures(figures)) {
      metrics.number(historyBytes).with().value = figures.historyBytes;
      metrics.number(objectBytes).with().value = figures.objectBytes;
    }
  });
}

interface Figures {
  readonly historyBytes: number;
  readonly objectBytes: number;
}

const isFigures = (value: unknown): value is Figures =>
  typeof value === 'object' &&
  value !== null &&
  'historyBytes' in value &&
  typeof value.historyBytes === 'number' &&
  'objectBytes' in value &&
  typeof value.objectBytes === 'number';

export function collectFollowers(metrics: Metrics, followers: Pick<Followers, 'states'>): void {
  const { followerBehind, followerErrors } = metricTable.storage.metrics;
  metrics.collect(() => {
    for (const { name, behindMs, errors } of followers.states()) {
      metrics.number(followerBehind).with(name).value = behindMs / 1000;
      metrics.number(followerErrors).with(name).value = errors;
    }
  });
}
