/** The embedded store on the LMDB backend. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { lmdbBackend, openStore } from '../../../../runtime/storage/index.js';
import { faulty } from '../../../support/faulty-backend.js';
import { readAttributes } from '../../../support/store-objects.js';
import { modelTests } from '../../../support/store-suite/model.js';
import { type StoreHarness, testStore } from '../../../support/store-suite.js';

const traits = { persistent: true, durableHistory: true };

/** Opens stores in a new folder. `cramped`: with hardly any history, and a journal that is always being cleaned. */
async function harness(cramped: boolean): Promise<StoreHarness> {
  const directory = await mkdtemp(join(tmpdir(), 'kindforge-lmdb-'));
  const faults = faulty(lmdbBackend(directory, cramped ? { slackBytes: 500 } : {}));
  const history = cramped ? { historyMaxBytes: 3000 } : {};
  return {
    open: (options) => openStore({ backend: faults.backend, readAttributes, ...history, ...options }),
    fail: () => faults.failNext(1),
    dispose: () => rm(directory, { recursive: true, force: true }),
  };
}

testStore('lmdb', () => harness(false), traits);

describe('lmdb with little room', () => {
  modelTests(() => harness(true), traits);
});
