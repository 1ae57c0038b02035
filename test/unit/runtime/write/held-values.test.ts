/** One server at a time holds a lock in a shared store. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DriverError } from '../../../../runtime/storage/shared/errors.js';
import { ClaimLocks } from '../../../../runtime/write/held-values.js';
import { type LossyStore, loseAnswer, lossyStore } from '../../../support/lossy-store.js';

const key = '!claims/widgets/one';

let lossy: LossyStore;
beforeEach(async () => {
  lossy = await lossyStore();
});
afterEach(() => lossy.close());

it('does not take the lock of another server for its own after a lost answer', async () => {
  const { store, owned, driver } = lossy;
  const others = new ClaimLocks(owned);
  driver.tries.push(async () => {
    await others.take(key);
    throw new DriverError('uncertain', 'the answer was lost');
  });
  expect((await new ClaimLocks(store).take(key)).held).toBeUndefined();
  expect(owned.get(key)).toBeDefined();
});

it('holds the lock that it took, although the answer was lost', async () => {
  const { store, owned, driver } = lossy;
  driver.tries.push(loseAnswer);
  expect((await new ClaimLocks(store).take(key)).held).toEqual({ key, revision: owned.get(key)?.revision });
});
