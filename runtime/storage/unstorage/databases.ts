/** Connects to the databases of unstorage's driver `db0`. */
import { type Connector, connectors, createDatabase, type Database } from 'db0';
import { importFactory } from './import-factory.js';
import type { DriverOptions } from './options.js';

export interface Connected {
  /** The options of the driver: the database, and the table. */
  readonly driverOptions: DriverOptions;
  readonly release: () => Promise<void>;
}

/** Connects to a database. Passes all options except `connector` and `tableName` to the connector. */
export async function connectDatabase({ connector, tableName, ...rest }: DriverOptions): Promise<Connected> {
  const names = Object.keys(connectors).join(', ');
  if (connector === undefined) throw new Error(`the driver db0 needs the option connector, one of: ${names}`);
  const path = Object.entries(connectors).find(([known]) => known === connector)?.[1];
  if (path === undefined) throw new Error(`the connector ${connector} of db0 is unknown; there are: ${names}`);
  const made = (await importFactory(path, `the connector ${connector} of db0`))(rest);
  if (!isConnector(made)) throw new Error(`the connector ${connector} of db0 cannot be used here`);
  const database: Database = createDatabase(made);
  return {
    driverOptions: { database, ...(tableName !== undefined && { tableName }) },
    release: async () => database.dispose(),
  };
}

function isConnector(value: unknown): value is Connector {
  return typeof value === 'object' && value !== null && 'prepare' in value && 'dialect' in value;
}
