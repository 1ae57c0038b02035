/** The store in PostgreSQL. It has an entry point of its own, so that only users of PostgreSQL load its client. */
export type { PostgresDriverOptions } from './options.js';
export { postgresDriver } from './postgres-driver.js';
export { reportViews, schemaStatements } from './schema.js';
