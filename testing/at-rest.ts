/** Waits until a server has no more writes. */
import type { Store } from '../runtime/contract/index.js';

/** Resolves once nothing was written for `forMs` milliseconds. */
export function atRest(store: Store, forMs: number): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      if (typeof watching !== 'string') watching.stop();
      resolve();
    };
    let timer = setTimeout(done, forMs);
    const watching = store.watch('', store.revision, {
      event: () => {
        clearTimeout(timer);
        timer = setTimeout(done, forMs);
      },
      ended: () => {},
    });
  });
}
