/** Waits until nothing writes to a server any more. */
import type { Store } from '../runtime/contract/index.js';

/** Resolves once nothing has written for `forMs` milliseconds. */
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
