/** The store over etcd. Each test has a prefix of its own in one etcd. */
import { afterAll, beforeAll, describe } from 'vitest';
import { openEtcdStore } from '../../../../runtime/storage/etcd/index.js';
import { type EtcdCluster, etcdOrWhyNot, hasEtcd, startEtcd } from '../../../support/etcd.js';
import { readAttributes } from '../../../support/store-objects.js';
import { testStore } from '../../../support/store-suite.js';

describe.runIf(hasEtcd)(etcdOrWhyNot, () => {
  let etcd: EtcdCluster;
  let stores = 0;
  beforeAll(async () => {
    etcd = await startEtcd();
  });
  afterAll(() => etcd.dispose());

  testStore(
    'etcd',
    async () => {
      const prefix = `/suite/${++stores}/`;
      const { endpoints } = etcd;
      return {
        // Compaction is tested by itself; its own keys would move revisions between closing and opening.
        open: (options) => openEtcdStore({ endpoints, prefix, readAttributes, compaction: false, ...options }),
        dispose: async () => {},
      };
    },
    // etcd serves concurrent requests in the order it likes.
    { persistent: true, durableHistory: false, ordersChanges: false },
  );
});
