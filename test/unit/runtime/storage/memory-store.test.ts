/** The embedded store on the memory backend. */
import { memoryBackend, openStore } from '../../../../runtime/storage/index.js';
import { faulty } from '../../../support/faulty-backend.js';
import { readAttributes } from '../../../support/store-objects.js';
import { testStore } from '../../../support/store-suite.js';

testStore(
  'memory',
  async () => {
    const faults = faulty(memoryBackend());
    return {
      open: (options) => openStore({ backend: faults.backend, readAttributes, ...options }),
      fail: () => faults.failNext(1),
      dispose: async () => {},
    };
  },
  { persistent: false, durableHistory: false },
);
