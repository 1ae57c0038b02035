/** Gives each namespace the service account `default`, and creates it again if it is deleted. */
import { createResourceClient, isAlreadyExists, isForbidden, isNotFound } from '../client/index.js';
import { namespaces, serviceAccounts } from './core-resources.js';
import { defineController } from './kit/define-controller.js';
import { watch } from './kit/watch.js';

const name = 'default';

/** A key is the name of a namespace. */
export const defaultAccount = defineController({
  name: 'serviceaccount',
  watches: [
    watch(namespaces, { metadataOnly: true }),
    watch(serviceAccounts, {
      metadataOnly: true,
      fieldSelector: `metadata.name=${name}`,
      keysOf: ({ metadata }) => [metadata.namespace ?? ''],
    }),
  ],
  workers: 5,
  async reconcile(namespace, { client, cacheOf, signal }) {
    const found = cacheOf(namespaces).get(namespace);
    if (found === undefined || found.metadata.deletionTimestamp !== undefined) return;
    if (cacheOf(serviceAccounts).get(`${namespace}/${name}`) !== undefined) return;
    try {
      await createResourceClient(serviceAccounts, client).in(namespace).create({ metadata: { name } }, { signal });
    } catch (error) {
      // The account exists, or its namespace is gone or is being deleted.
      if (!isAlreadyExists(error) && !isForbidden(error) && !isNotFound(error)) throw error;
    }
  },
});
