/** The embedded store on the LMDB backend. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lmdbBackend, openStore } from '../../../../runtime/storage/index.js';
import { readAttributes } from '../../../support/store-objects.js';
import { testStore } from '../../../support/store-suite.js';

testStore(
  'lmdb',
  async () => {
    const directory = await mkdtemp(join(tmpdir(), 'kindforge-lmdb-'));
    return {
      open: (options) => openStore({ backend: lmdbBackend(directory), readAttributes, ...options }),
      dispose: () => rm(directory, { recursive: true, force: true }),
    };
  },
  { persistent: true, durableHistory: true },
);
