/** A shared store with a driver that may lose answers, over an embedded store that another process would own. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SharedCommit, SharedCommitOptions, SharedProposal, Store } from '../../runtime/contract/index.js';
import { memoryBackend, openStore } from '../../runtime/storage/index.js';
import { OwnerDriver } from '../../runtime/storage/owner/owner-driver.js';
import { serveStore } from '../../runtime/storage/owner/serve-store.js';
import { DriverError } from '../../runtime/storage/shared/errors.js';
import { openSharedStore } from '../../runtime/storage/shared/open-shared-store.js';
import { readAttributes } from './store-objects.js';

/** Answers a try to make changes. It may carry them out first. */
export type Try = (carryOut: () => Promise<SharedCommit>) => Promise<SharedCommit>;

/** Carries changes out, and loses the answer. */
export const loseAnswer: Try = async (carryOut) => {
  await carryOut();
  throw new DriverError('uncertain', 'the answer was lost');
};

/** A driver that carries out the next tries of changes as a test says. */
class LossyDriver extends OwnerDriver {
  readonly tries: Try[] = [];

  override commit(group: readonly SharedProposal[], options: SharedCommitOptions): Promise<SharedCommit> {
    const carryOut = (): Promise<SharedCommit> => super.commit(group, options);
    return this.tries.shift()?.(carryOut) ?? carryOut();
  }
}

export interface LossyStore {
  readonly store: Store;
  readonly driver: LossyDriver;
  /** The data, to which other servers write. */
  readonly owned: Store;
  close(): Promise<void>;
}

export async function lossyStore(): Promise<LossyStore> {
  const folder = await mkdtemp(join(tmpdir(), 'kindforge-lossy-'));
  const path = join(folder, 'owner');
  const owned = await openStore({ backend: memoryBackend(), readAttributes });
  const served = await serveStore(owned, path);
  const driver = new LossyDriver(path);
  const store = await openSharedStore(driver, { readAttributes });
  return {
    store,
    driver,
    owned,
    async close() {
      await store.close();
      await served.close();
      await owned.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
