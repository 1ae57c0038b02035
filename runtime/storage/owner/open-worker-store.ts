/** Opens the store of a worker. */
import { openSharedStore } from '../shared/open-shared-store.js';
import type { SharedStore, SharedStoreOptions } from '../shared/options.js';
import { OwnerDriver } from './owner-driver.js';

/**
 * Opens a store over the store that another process of this machine serves on a socket; see `serveStore`. Rejects with
 * a `DriverError` if that process does not answer in time.
 */
export const openWorkerStore = (path: string, options: SharedStoreOptions): Promise<SharedStore> =>
  openSharedStore(new OwnerDriver(path), options);
