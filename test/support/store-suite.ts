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

/** Settings that the suite chooses for a store; the defaults keep history for as long as a test takes. */
export interface SuiteOptions {
  readonly historyWindowMs?: number;
  readonly historyMaxBytes?: number;
  readonly now?: () => number;
  readonly onDamage?: 'replace';
}

/** One set of data, empty at first. */
export interface StoreHarness {
  /** Opens a store on the data, `onDamage` as the store has it. Called again only after the store was closed. */
  open(options?: SuiteOptions): Promise<Store>;
  /** Lets the next batch fail, where the harness can do that. */
  fail?(): void;
  /** Removes the data. */
  dispose(): Promise<void>;
}

export interface StoreTraits {
  /** Whether closing and opening again keeps the objects. */
  readonly persistent: boolean;
  /** Whether it keeps the history too. */
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
