/** The unstorage drivers that tests run on, each with data that outlives a driver. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Backend } from '../../runtime/contract/index.js';
import { openDriver, type UnstorageOptions, unstorageBackend } from '../../runtime/storage/unstorage/index.js';
import { hasLibsql, libsqlOrWhyNot } from './libsql.js';
import { hasRedis, redisOrWhyNot, startRedis } from './redis.js';

/** A set of data, empty at first. */
export interface DriverHarness {
  /** Makes a backend over a new driver on the data. */
  create(options?: UnstorageOptions): Promise<Backend>;
  dispose(): Promise<void>;
}

export interface TestedDriver {
  readonly name: string;
  /** Whether the programs that the driver needs are installed. */
  readonly isThere: boolean;
  /** Starts the programs that the driver needs. */
  start(): Promise<StartedDriver>;
}

export interface StartedDriver {
  harness(): Promise<DriverHarness>;
  stop(): Promise<void>;
}

/** No other program uses this server. */
const timing = { settleMs: 1 };

/** Makes a folder for each set of data. */
function inFolders(name: string, optionsFor: (folder: string) => Record<string, unknown>): StartedDriver {
  return {
    async harness() {
      const folder = await mkdtemp(join(tmpdir(), 'kindforge-unstorage-'));
      return {
        async create(options) {
          const { driver, release } = await openDriver(name, optionsFor(folder));
          return unstorageBackend(driver, { release, timing, ...options });
        },
        dispose: () => rm(folder, { recursive: true, force: true }),
      };
    },
    stop: async () => {},
  };
}

async function startOnRedis(): Promise<StartedDriver> {
  const server = await startRedis();
  let count = 0;
  return {
    async harness() {
      const base = `data-${++count}`;
      return {
        async create(options) {
          const { driver, release } = await openDriver('redis', { url: server.url, base });
          return unstorageBackend(driver, { release, timing, ...options });
        },
        dispose: async () => {},
      };
    },
    stop: () => server.dispose(),
  };
}

const inMemory: StartedDriver = {
  async harness() {
    const { driver } = await openDriver('memory');
    return { create: async (options) => unstorageBackend(driver, { timing, ...options }), dispose: async () => {} };
  },
  stop: async () => {},
};

export const testedDrivers: readonly TestedDriver[] = [
  { name: 'memory', isThere: true, start: async () => inMemory },
  { name: 'fs', isThere: true, start: async () => inFolders('fs', (folder) => ({ base: join(folder, 'data') })) },
  {
    name: `db0 over ${libsqlOrWhyNot}`,
    isThere: hasLibsql,
    start: async () =>
      inFolders('db0', (folder) => ({ connector: 'libsql-node', url: `file:${join(folder, 'data.db')}` })),
  },
  { name: redisOrWhyNot, isThere: hasRedis, start: startOnRedis },
];
