/** The promises of `Store`, as tests that every backend runs. */
import { describe } from 'vitest';
import type { Store } from '../../runtime/contract/index.js';
import { commitTests } from './store-suite/commit.js';
import { lifecycleTests } from './store-suite/lifecycle.js';
import { listTests } from './store-suite/list.js';
import { modelTests } from './store-suite/model.js';
import { restoreTests } from './store-suite/restore.js';
import { selectorTests } from './store-suite/selectors.js';
import { watchTests } from './store-suite/watch.js';

/** The suite's settings for a store. With the defaults, history outlives a test. */
export interface SuiteOptions {
  readonly historyWindowMs?: number;
  readonly historyMaxBytes?: number;
  readonly now?: () => number;
  readonly onDamage?: 'replace';
}

/** A set of data, empty at first. */
export interface StoreHarness {
  /**
   * Opens a store on the data, `onDamage` as the store has it. The suite closes the store before it calls this again.
   */
  open(options?: SuiteOptions): Promise<Store>;
  /** Makes the next batch fail. Absent if the harness cannot do this. */
  fail?(): void;
  /** Removes the data. */
  dispose(): Promise<void>;
}

export interface StoreTraits {
  /** Whether objects outlive closing and opening. */
  readonly persistent: boolean;
  /** Whether history outlives closing and opening too. */
  readonly durableHistory: boolean;
}

export type HarnessFactory = () => Promise<StoreHarness>;

/** Runs the whole suite on one kind of store. */
export function testStore(name: string, create: HarnessFactory, traits: StoreTraits): void {
  describe(`${name} keeps the promises of a store`, () => {
    commitTests(create);
    listTests(create);
    watchTests(create);
    lifecycleTests(create, traits);
    restoreTests(create, traits);
    modelTests(create, traits);
    selectorTests(create, traits);
  });
}
