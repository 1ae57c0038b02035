/** The store over etcd. Each test has a prefix of its own in one etcd. */
import { afterAll, beforeAll, describe } from 'vitest';
import { openEtcdStore } from '../../../../runtime/storage/etcd/index.js';
import { effort } from '../../../support/effort.js';
import { type EtcdCluster, etcdOrWhyNot, hasEtcd, startEtcd } from '../../../support/etcd.js';
import { readAttributes } from '../../../support/store-objects.js';
import { type StoreHarness, type SuiteOptions, testStore } from '../../../support/store-suite.js';

describe.runIf(hasEtcd)(etcdOrWhyNot, () => {
  let etcd: EtcdCluster;
  let stores = 0;
  beforeAll(async () => {
    etcd = await startEtcd();
  });
  afterAll(() => etcd.dispose());

  /**
   * Opens stores under a prefix of their own, with so many changes in a transaction at most. `shift` is the number that
   * an earlier restore has added to revisions.
   */
  async function harness(largestGroup: number, shift = 0): Promise<StoreHarness> {
    const prefix = `/suite/${++stores}/`;
    const { endpoints } = etcd;
    // Disables compaction: its own keys would change revisions between closing and opening.
    const open = (options?: SuiteOptions) =>
      openEtcdStore({ endpoints, prefix, readAttributes, largestGroup, compaction: false, ...options });
    if (shift > 0) {
      const store = await open();
      await store.restore([], shift);
      await store.close();
    }
    return { open, dispose: async () => {} };
  }

  const traits = { persistent: true, durableHistory: false };
  testStore('etcd', () => harness(100), traits);
  testStore('etcd with revisions moved on, a change in each transaction', () => harness(1, 3_000_000_000), traits);
  const sizes = effort('KINDFORGE_GROUP_SIZES', 0, 4);
  for (let index = 0; index < sizes; index++) {
    const size = 1 + Math.round((index * 99) / Math.max(1, sizes - 1));
    testStore(`etcd with transactions of ${size} or less`, () => harness(size), traits);
  }
});
