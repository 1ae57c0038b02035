/** The backend that keeps nothing: the store's own memory is all there is. */
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
