/** The store in etcd. It has an entry point of its own, so that only users of etcd load its client. */
import { openSharedStore } from '../shared/open-shared-store.js';
import type { SharedStore } from '../shared/options.js';
import { EtcdDriver } from './driver.js';
import type { OpenEtcdStoreOptions } from './options.js';

/**
 * Opens the store. Rejects with an `EtcdError` that says what failed when etcd refuses or is not there in time, with an
 * `UnfinishedRestoreError` when a restore was interrupted, and with a `DamagedStoreError` when objects cannot be read.
 */
export const openEtcdStore = (options: OpenEtcdStoreOptions): Promise<SharedStore> =>
  openSharedStore(new EtcdDriver(options), options);

export type { OpenEtcdStoreOptions } from './options.js';
