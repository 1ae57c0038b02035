/** Reads the figures of the store and the followers when metrics are shown. */
import type { Store } from '../contract/index.js';
import { type Metrics, metricTable, nameOfModule } from '../metrics/index.js';
import { nextTurn } from '../objects/turns.js';
import type { Registry } from '../registry/registry.js';
import type { ServedResource } from '../resource/served-resource.js';
import type { Followers } from './followers.js';

export function collectStorage(metrics: Metrics, store: Store, registry: Registry): void {
  const { objects, resourceObjects, revision, oldestRevision, historyBytes, objectBytes } = metricTable.storage.metrics;
  metrics.collect(() => {
    const counts = metrics.number(objects);
    counts.clear();
    const byGroup = metrics.number(resourceObjects);
    byGroup.clear();
    for (const stored of storedIn(registry)) {
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

const storedIn = ({ resources }: Registry): readonly ServedResource[] =>
  [...new Set(resources.map(({ stored }) => stored))].filter(({ virtualHandlers }) => !virtualHandlers.has(''));

/** Adds up the bytes of all objects when metrics are shown, if the release has the metric. */
export function collectSizes(metrics: Metrics, store: Store, registry: Registry): void {
  const { resourceBytes } = metricTable.storage.metrics;
  if (!metrics.has(resourceBytes)) return;
  metrics.collect(async () => {
    const sizes: (readonly [ServedResource['module'], number])[] = [];
    for (const { module, keyPrefix } of storedIn(registry)) sizes.push([module, await bytesOf(store, keyPrefix)]);
    const byGroup = metrics.number(resourceBytes);
    // Not earlier, because two scrapes may come at once.
    byGroup.clear();
    for (const [{ group, names }, bytes] of sizes) byGroup.with(group, names.plural).value = bytes;
  });
}

/** The number of measured objects after which other tasks of the event loop run. */
const atOnce = 5_000;

/** Adds up the bytes of the objects of a resource. */
async function bytesOf(store: Store, prefix: string): Promise<number> {
  let bytes = 0;
  let after: string | undefined;
  for (;;) {
    const found = store.list(prefix, { limit: atOnce, ...(after === undefined ? {} : { after }) });
    if (typeof found === 'string') return bytes;
    for (const entry of found.entries) bytes += entry.bytes.length;
    if (found.entries.length < atOnce) return bytes;
    after = found.entries.at(-1)?.key;
    await nextTurn();
  }
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
