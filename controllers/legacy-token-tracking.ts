/** Keeps a config map with the day since which the server records the use of tokens on their secrets. */
import { createResourceClient, isAlreadyExists } from '../client/index.js';
import { dayOf } from '../runtime/objects/scan/time.js';
import type { Controller } from './controller.js';
import { configMaps } from './core-resources.js';
import { defineController } from './kit/define-controller.js';
import { watch } from './kit/watch.js';

/** The place of the config map. */
export interface TrackingPlace {
  readonly namespace: string;
  readonly name: string;
}

/** Defines the controller. A secret without a record was not used since that day. */
export function defineLegacyTokenTracking({ namespace, name }: TrackingPlace): Controller {
  const own = `${namespace}/${name}`;
  return defineController({
    name: 'legacy-service-account-token-tracking',
    watches: [watch(configMaps, { fieldSelector: `metadata.name=${name},metadata.namespace=${namespace}` })],
    async reconcile(key, { client, cacheOf, clock, signal }) {
      if (key !== own) return;
      const found = cacheOf(configMaps).get(own);
      const today = dayOf(clock.wallMs());
      const said = found?.data?.since;
      if (said !== undefined && isDay(said) && said <= today) return;
      const maps = createResourceClient(configMaps, client).in(namespace);
      const data = { since: today };
      try {
        if (found === undefined) await maps.create({ metadata: { name }, data }, { signal });
        else await maps.update({ ...found, data: { ...found.data, ...data } }, { signal });
      } catch (error) {
        // Another server was faster.
        if (!isAlreadyExists(error)) throw error;
      }
    },
    async beside({ queue }) {
      queue.add(own);
    },
  });
}

/** Returns whether a text is a calendar day, as in `2006-01-02`. */
const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));
