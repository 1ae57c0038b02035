/** The store over PostgreSQL. Each test has a schema of its own in one database. */
import { afterAll, beforeAll, describe } from 'vitest';
import { openPostgresStore } from '../../../../runtime/storage/postgres/index.js';
import { effort } from '../../../support/effort.js';
import { hasPostgres, type PostgresServer, postgresOrWhyNot, startPostgres } from '../../../support/postgres.js';
import { readAttributes } from '../../../support/store-objects.js';
import { type StoreHarness, type SuiteOptions, testStore } from '../../../support/store-suite.js';

describe.runIf(hasPostgres)(postgresOrWhyNot, () => {
  let postgres: PostgresServer;
  let stores = 0;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.dispose());

  /** Opens stores in a schema of their own, with so many changes in a group at most. */
  async function harness(largestGroup: number): Promise<StoreHarness> {
    const schema = `suite_${++stores}`;
    const { url } = postgres;
    const open = (options?: SuiteOptions) =>
      openPostgresStore({ url, schema, readAttributes, largestGroup, ...options });
    return { open, dispose: async () => {} };
  }

  const traits = { persistent: true, durableHistory: false };
  testStore('PostgreSQL', () => harness(250), traits);
  const sizes = effort('KINDFORGE_GROUP_SIZES', 0, 3);
  for (let index = 0; index < sizes; index++) {
    const size = 1 + Math.round((index * 99) / Math.max(1, sizes - 1));
    testStore(`PostgreSQL with groups of ${size} or less`, () => harness(size), traits);
  }
});
