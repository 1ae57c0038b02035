/** Publishes sites: makes a config map for each page, and a name in the DNS. The default export is the controller. */
import type { coreV1 } from 'kindforge';
import { conditionOf, createOrUpdate, defineResource } from 'kindforge/client';
import {
  anyOf,
  defineController,
  ensureFinalizer,
  forEachOwned,
  generationChanged,
  ignoreNotFound,
  labelsChanged,
  patchStatus,
  removeFinalizer,
  requeueAfter,
  setCondition,
  setOwner,
  watch,
  watchOwned,
} from 'kindforge/client/node';
import { type Site, sites } from './generated/pages.example.com/v1/index.js';

const configMaps = defineResource<coreV1.ConfigMap>()({
  group: '',
  version: 'v1',
  plural: 'configmaps',
  kind: 'ConfigMap',
  scope: 'Namespaced',
  subresources: [],
} as const);

/** Represents the DNS of a provider. Owner references do not clean up there, so the controller needs a finalizer. */
export const dns = new Map<string, string>();

const finalizer = 'pages.example.com/dns';

export default defineController({
  name: 'sites',
  watches: [watch(sites, { when: anyOf(generationChanged, labelsChanged) }), watchOwned(configMaps, sites)],
  workers: 4,
  async reconcile(key, { cacheOf, clientOf, clock, recordEvent }) {
    const known = cacheOf(sites).get(key);
    if (known === undefined) return;
    const { host } = known.spec;
    if (known.metadata.deletionTimestamp !== undefined) {
      dns.delete(host);
      return removeFinalizer(clientOf(sites), known, finalizer);
    }
    const site = await ensureFinalizer(clientOf(sites), known, finalizer);
    const { name = '', namespace = '' } = site.metadata;
    const leftMs = leftOf(site, clock.wallMs());
    const isOpen = leftMs > 0;

    const maps = clientOf(configMaps).in(namespace);
    const pages = new Map(isOpen ? site.spec.pages.map((page) => [`${name}-${page.name}`, page.text]) : []);
    for (const [map, text] of pages)
      await createOrUpdate(maps, map, (found) => setOwner({ ...found, data: { text } }, site));
    await forEachOwned(cacheOf(configMaps), site, async ({ metadata: { name = '' } }) => {
      if (!pages.has(name)) await maps.delete(name).catch(ignoreNotFound);
    });
    if (isOpen) dns.set(host, key);
    else dns.delete(host);

    const ready = isOpen
      ? ({ type: 'Ready', status: 'True', reason: 'Published', message: `${pages.size} pages at ${host}` } as const)
      : ({ type: 'Ready', status: 'False', reason: 'Closed', message: `closed since ${site.spec.until}` } as const);
    if (conditionOf(site, 'Ready')?.message !== ready.message)
      await recordEvent(site, { reason: ready.reason, message: ready.message });
    await patchStatus(clientOf(sites), site, { pages: pages.size, conditions: setCondition(site, ready, clock) });
    return isOpen && leftMs < Number.POSITIVE_INFINITY ? requeueAfter(leftMs) : undefined;
  },
});

/** Returns how long a site stays open, milliseconds. */
const leftOf = ({ spec: { until } }: Site, nowMs: number): number =>
  until === undefined ? Number.POSITIVE_INFINITY : Date.parse(until) - nowMs;
