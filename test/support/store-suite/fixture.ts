/** Gives each test a store of its own, and checks the invariants after the test. */
import { afterEach, beforeEach } from 'vitest';
import type { Revision, Store } from '../../../runtime/contract/index.js';
import { Observer } from '../store-invariants.js';
import type { HarnessFactory, StoreHarness, SuiteOptions } from '../store-suite.js';

export interface Fixture {
  /** The test's store. */
  readonly store: Store;
  /** Closes the store and opens it again. */
  reopen(options?: SuiteOptions): Promise<Store>;
  /** Restores. Later checks use the restored state. If the restore fails, there are no later checks. */
  restore(...restored: Parameters<Store['restore']>): Promise<Revision>;
}

/** Makes a fixture in a `describe`. Each test gets a new store. */
export function storeFixture(create: HarnessFactory, options?: SuiteOptions): Fixture {
  let harness: StoreHarness | undefined;
  let store: Store | undefined;
  let observer: Observer | undefined;

  async function open(opening: SuiteOptions | undefined): Promise<Store> {
    harness ??= await create();
    store = await harness.open(opening);
    observer = opening?.onDamage === 'replace' ? undefined : new Observer(store);
    return store;
  }

  beforeEach(async () => {
    await open(options);
  });
  afterEach(async () => {
    try {
      observer?.check();
    } finally {
      await store?.close();
      await harness?.dispose();
      harness = undefined;
    }
  });

  return {
    get store() {
      if (!store) throw new Error('the store is only there during a test');
      return store;
    },
    async reopen(reopening) {
      observer?.check();
      await store?.close();
      return open(reopening ?? options);
    },
    async restore(...restored) {
      observer?.check();
      observer = undefined;
      if (!store) throw new Error('the store is only there during a test');
      const revision = await store.restore(...restored);
      observer = new Observer(store);
      return revision;
    },
  };
}
