/** The store in PostgreSQL. Its own entry point makes sure that only users of PostgreSQL load the client. */
import { openSharedStore } from '../shared/open-shared-store.js';
import type { SharedStore } from '../shared/options.js';
import type { OpenPostgresStoreOptions } from './options.js';
import { postgresDriver } from './postgres-driver.js';

/**
 * Opens the store. Rejects with a `DriverError` if PostgreSQL refuses or is not there in time, with an
 * `UnfinishedRestoreError` if a restore was interrupted, and with a `DamagedStoreError` if objects cannot be read.
 */
export const openPostgresStore = async (options: OpenPostgresStoreOptions): Promise<SharedStore> =>
  openSharedStore(postgresDriver(options), options);

export type { OpenPostgresStoreOptions, PostgresDriverOptions } from './options.js';
export { postgresDriver } from './postgres-driver.js';
export { reportViews, schemaStatements } from './schema.js';
