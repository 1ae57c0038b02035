/** The embedded store on the memory backend. */
import { memoryBackend, openStore } from '../../../../runtime/storage/index.js';
import { readAttributes } from '../../../support/store-objects.js';
import { testStore } from '../../../support/store-suite.js';

testStore(
  'memory',
  async () => ({
    open: (options) => openStore({ backend: memoryBackend(), readAttributes, ...options }),
    dispose: async () => {},
  }),
  { persistent: false, durableHistory: false },
);
