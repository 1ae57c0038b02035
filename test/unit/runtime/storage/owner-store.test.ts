/** The store of a worker, over the embedded store of the process that owns the data. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Backend, Store } from '../../../../runtime/contract/index.js';
import { lmdbBackend, memoryBackend, openStore } from '../../../../runtime/storage/index.js';
import { openWorkerStore } from '../../../../runtime/storage/owner/open-worker-store.js';
import { serveStore } from '../../../../runtime/storage/owner/serve-store.js';
import { effort } from '../../../support/effort.js';
import { readAttributes } from '../../../support/store-objects.js';
import { type StoreHarness, type SuiteOptions, testStore } from '../../../support/store-suite.js';

/** Opens workers over an owner that opens and ends with them. */
async function harness(backendIn: (folder: string) => Backend, largestGroup: number): Promise<StoreHarness> {
  const folder = await mkdtemp(join(tmpdir(), 'kindforge-owner-'));
  const backend = backendIn(join(folder, 'data'));
  const path = join(folder, 'owner');
  return {
    async open(options?: SuiteOptions): Promise<Store> {
      const owned = await openStore({ backend, readAttributes, ...options });
      const served = await serveStore(owned, path);
      const store = await openWorkerStore(path, { readAttributes, largestGroup, ...options });
      const close = store.close.bind(store);
      store.close = async () => {
        await close();
        await served.close();
        await owned.close();
      };
      return store;
    },
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
}

testStore('a worker over memory with groups of one', () => harness(memoryBackend, 1), {
  persistent: false,
  durableHistory: false,
});
const traits = { persistent: true, durableHistory: true };
const sizes = effort('KINDFORGE_GROUP_SIZES', 1, 3);
for (let index = 0; index < sizes; index++) {
  // From the largest: with groups of one, each change waits for the disk.
  const size = 100 - Math.round((index * 99) / Math.max(1, sizes - 1));
  testStore(`a worker over lmdb with groups of ${size} or less`, () => harness(lmdbBackend, size), traits);
}
