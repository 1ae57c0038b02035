/** Gives each namespace a config map with the certificates that programs need to trust the server. */
import { createResourceClient, isAlreadyExists, isForbidden, isNotFound, sleep } from '../client/index.js';
import type { Controller } from './controller.js';
import { type ConfigMap, configMaps, namespaces } from './core-resources.js';
import { defineController } from './kit/define-controller.js';
import { watch } from './kit/watch.js';

export interface RootCertificatesOptions {
  /** The name of the config maps. */
  readonly name: string;
  /** Returns the current certificates in PEM. */
  readonly trusted: () => string;
}

/** How often to check for new certificates, milliseconds. */
const lookMs = 60_000;

/** Defines the controller, for servers with TLS. A key is the name of a namespace. */
export function defineRootCertificates({ name, trusted }: RootCertificatesOptions): Controller {
  return defineController({
    name: 'root-ca-cert-publisher',
    watches: [
      watch(namespaces, { metadataOnly: true }),
      watch(configMaps, {
        fieldSelector: `metadata.name=${name}`,
        keysOf: ({ metadata }) => [metadata.namespace ?? ''],
      }),
    ],
    workers: 5,
    async reconcile(namespace, { client, cacheOf, signal }) {
      const place = cacheOf(namespaces).get(namespace);
      if (place === undefined || place.metadata.deletionTimestamp !== undefined) return;
      const data = { 'ca.crt': trusted() };
      const found = cacheOf(configMaps).get(`${namespace}/${name}`);
      const maps = createResourceClient(configMaps, client).in(namespace);
      try {
        if (found === undefined) await maps.create({ metadata: { name }, data }, { signal });
        else if (!holds(found, data)) await maps.update({ ...found, data }, { signal });
      } catch (error) {
        // Another client created or deleted the map, which queues the key again, or the namespace is being deleted.
        if (!isAlreadyExists(error) && !isForbidden(error) && !isNotFound(error)) throw error;
      }
    },
    async beside({ cacheOf, queue, clock, signal }) {
      for (let known = trusted(); !signal.aborted; await sleep(lookMs, signal, clock)) {
        if (trusted() === known) continue;
        known = trusted();
        for (const { metadata } of cacheOf(namespaces).values()) queue.add(metadata.name ?? '');
      }
    },
  });
}

/** Returns whether the map has exactly this data. */
const holds = ({ data = {} }: ConfigMap, wanted: Readonly<Record<string, string>>): boolean =>
  Object.keys(data).length === Object.keys(wanted).length &&
  Object.entries(wanted).every(([key, value]) => data[key] === value);
