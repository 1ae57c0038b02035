/** Requests that arrive in one turn of the event loop go from stage to stage side by side; later ones come after them. */
import { expect, it } from 'vitest';
import { gatherArrivals } from '../../../../runtime/server/arrivals.js';

it('brings those that arrive in one turn through each stage together', async () => {
  const arrived = gatherArrivals();
  const log: string[] = [];
  const request = async (name: string): Promise<void> => {
    await arrived();
    log.push(`${name} is read`);
    await undefined;
    log.push(`${name} is answered`);
  };
  /** In a callback of its own, as each socket has one: promises settle in between. */
  const inTurn = (name: string): Promise<void> =>
    new Promise((resolve) => setImmediate(() => request(name).then(resolve)));
  await Promise.all([inTurn('one'), inTurn('two')]);
  expect(log).toEqual(['one is read', 'two is read', 'one is answered', 'two is answered']);
});

it('begins anew for those that arrive later', async () => {
  const arrived = gatherArrivals();
  const first = arrived();
  expect(arrived()).toBe(first);
  await first;
  const second = arrived();
  expect(second).not.toBe(first);
  await expect(second).resolves.toBeUndefined();
});
