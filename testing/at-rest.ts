/** Waits until a server is at rest. */
import type { Store } from '../runtime/contract/index.js';

/** Resolves once nothing has been written for a while, in milliseconds. */
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
