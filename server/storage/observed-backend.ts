/** A backend whose commits are timed. */
import type { Backend, StorageObserver } from '../../runtime/contract/index.js';

/** The backend itself where nobody is told. */
export function observedBackend(backend: Backend, observer: StorageObserver | undefined): Backend {
  if (!observer) return backend;
  return {
    name: backend.name,
    durability: backend.durability,
    open: (options) => backend.open(options),
    async commit(records, checkpoint, forget, options) {
      const began = performance.now();
      await backend.commit(records, checkpoint, forget, options);
      observer.committed(records.length, (performance.now() - began) / 1000);
    },
    health: () => backend.health?.() ?? '',
    close: () => backend.close(),
  };
}
