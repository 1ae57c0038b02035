/** Wraps a real backend that can be made to fail and stall. */
import type { Backend } from '../../runtime/contract/index.js';

export interface Faults {
  readonly backend: Backend;
  /** How many commits the backend has received. */
  readonly commits: number;
  /** Makes so many of the next commits fail without storing anything. */
  failNext(count: number, error?: Error): void;
  /** Makes commits fail with a full disk, or succeed again. Commits that may use the reserve always succeed. */
  fill(isFull: boolean): void;
  /** Delays commits until the caller calls the returned function. */
  hold(): () => void;
}

export const diskFull = (): Error => Object.assign(new Error('no space left on the device'), { code: 'ENOSPC' });

/** Makes the error of a commit with an unknown result. */
export const answerLost = (): Error => Object.assign(new Error('the answer was lost'), { uncertain: true as const });

export function faulty(inner: Backend): Faults {
  let failures = 0;
  let failure = diskFull();
  let commits = 0;
  let full = false;
  let held: Promise<void> = Promise.resolve();
  const backend: Backend = {
    name: `faulty ${inner.name}`,
    durability: inner.durability,
    open: (options) => inner.open(options),
    async commit(batch, checkpoint, forget, options) {
      commits++;
      await held;
      if (full && !options?.spare) throw Object.assign(diskFull(), { full: true as const });
      if (failures > 0) {
        failures--;
        // Fails later, so that others have time to build on the batch.
        await new Promise((resolve) => setImmediate(resolve));
        throw failure;
      }
      await inner.commit(batch, checkpoint, forget, options);
    },
    replaceSecret: async (secret) => inner.replaceSecret?.(secret),
    close: () => inner.close(),
  };
  return {
    backend,
    get commits() {
      return commits;
    },
    failNext(count, error = diskFull()) {
      failures = count;
      failure = error;
    },
    fill(isFull) {
      full = isFull;
    },
    hold() {
      let release = (): void => {};
      held = new Promise((resolve) => {
        release = resolve;
      });
      return release;
    },
  };
}
