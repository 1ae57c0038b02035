/** The store in PostgreSQL. It has an entry point of its own, so that only users of PostgreSQL load its client. */
import { openSharedStore } from '../shared/open-shared-store.js';
import type { SharedStore } from '../shared/options.js';
import type { OpenPostgresStoreOptions } from './options.js';
import { postgresDriver } from './postgres-driver.js';

/**
 * Opens the store. Rejects with a `DriverError` that says what failed when PostgreSQL refuses or is not there in time,
 * with an `UnfinishedRestoreError` when a restore was interrupted, and with a `DamagedStoreError` when objects cannot be
 * read.
 */
export const openPostgresStore = async (options: OpenPostgresStoreOptions): Promise<SharedStore> =>
  openSharedStore(postgresDriver(options), options);

export type { OpenPostgresStoreOptions, PostgresDriverOptions } from './options.js';
export { postgresDriver } from './postgres-driver.js';
export { reportViews, schemaStatements } from './schema.js';
