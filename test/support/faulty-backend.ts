/** Wraps a real backend that can be made to fail and stall. */
import type { Backend } from '../../runtime/contract/index.js';

export interface Faults {
  readonly backend: Backend;
  /** How many commits the backend was asked for. */
  readonly commits: number;
  /** Lets so many of the next commits fail, with nothing stored. */
  failNext(count: number, error?: Error): void;
  /** Makes commits fail for lack of space, or succeed again. Commits that may use the reserve always succeed. */
  fill(isFull: boolean): void;
  /** Keeps commits waiting until the returned function is called. */
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
        // Not at once: others must have the time to build on the batch.
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
