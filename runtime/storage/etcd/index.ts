/** The store in etcd. Its own entry point makes sure that only users of etcd load the client. */
import { openSharedStore } from '../shared/open-shared-store.js';
import type { SharedStore } from '../shared/options.js';
import { EtcdDriver } from './driver.js';
import type { OpenEtcdStoreOptions } from './options.js';

/**
 * Opens the store. Rejects with an `EtcdError` if etcd refuses or is not there in time, with an
 * `UnfinishedRestoreError` if a restore was interrupted, and with a `DamagedStoreError` if objects cannot be read.
 */
export const openEtcdStore = (options: OpenEtcdStoreOptions): Promise<SharedStore> =>
  openSharedStore(new EtcdDriver(options), options);

export type { OpenEtcdStoreOptions } from './options.js';
