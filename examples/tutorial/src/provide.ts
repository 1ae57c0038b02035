/** Provides databases: a config map with the address of each database, for the programs that use it. */
import type { coreV1 } from 'kindforge';
import { createOrUpdate, defineResource } from 'kindforge/client';
import { defineController, patchStatus, setOwner, watch, watchOwned } from 'kindforge/client/node';
import { databases } from '../generated/data.example.com/v1/databases/resource.js';

export const configMaps = defineResource<coreV1.ConfigMap>()({
  group: '',
  version: 'v1',
  plural: 'configmaps',
  kind: 'ConfigMap',
  scope: 'Namespaced',
  subresources: [],
});

const ports = { postgres: '5432', mysql: '3306' };

export const provide = defineController({
  name: 'provide',
  watches: [watch(databases), watchOwned(configMaps, databases)],
  /** Brings one database to the state of its spec. A real controller would call the API of a cloud here. */
  async reconcile(key, { cacheOf, clientOf }) {
    const database = cacheOf(databases).get(key);
    if (database === undefined || database.metadata.deletionTimestamp !== undefined) return;
    const { name = '', namespace = '' } = database.metadata;
    const host = `${name}.${namespace}.db.example.com`;
    const data = { host, port: ports[database.spec.engine] };
    const settings = clientOf(configMaps).in(namespace);
    await createOrUpdate(settings, `${name}-settings`, (found) => setOwner({ ...found, data }, database));
    await patchStatus(clientOf(databases), database, { host });
  },
});
