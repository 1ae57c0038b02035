/** The backend that keeps nothing. The data is only in the store's own memory. */
import type { Backend } from '../../contract/index.js';

export function memoryBackend(): Backend {
  return {
    name: 'memory',
    durability: 'none',
    async open() {
      return { checkpoint: { revision: 0, oldestRevision: 0, digest: 0, time: 0 }, records: [], damage: [] };
    },
    async commit() {},
    async close() {},
  };
}
