/** Watches of a store with failing sinks. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { StoreEvent } from '../../../../../runtime/contract/index.js';
import { RevisionWaiters, WatchHub } from '../../../../../runtime/storage/memory/watch-hub.js';

const event = (revision: number): StoreEvent => ({
  type: 'ADDED',
  revision,
  entry: { key: 'g/lamps/a', revision, bytes: Buffer.from('{}'), attributes: { labels: {}, fields: {} } },
});

describe('a sink that throws', () => {
  it('is reported and loses its watch, and the others continue', () => {
    const errors: unknown[] = [];
    const told: string[] = [];
    const hub = new WatchHub((error) => errors.push(error));
    const fault = new Error('injected');
    const late = new Error('injected at the end');
    hub.add('g/lamps/', 0, {
      event: () => {
        throw fault;
      },
      ended: (reason) => {
        told.push(reason);
        throw late;
      },
    });
    hub.add('g/lamps/', 0, { event: ({ revision }) => told.push(`${revision}`), ended: () => {} });
    hub.dispatch(event(1));
    hub.dispatch(event(2));
    expect(told).toEqual(['closed', '1', '2']);
    expect(errors).toEqual([fault, late]);
    expect(hub.size).toBe(1);
  });
});

const outcomesOf = (waits: readonly Promise<boolean>[]) => {
  const told: (boolean | undefined)[] = waits.map(() => undefined);
  for (const [index, wait] of waits.entries()) void wait.then((reached) => (told[index] = reached));
  return told;
};
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('waiters for a revision', () => {
  it('are notified in whatever order they came, each when its revision exists', async () => {
    const waiters = new RevisionWaiters();
    const told = outcomesOf([5, 3, 9, 3].map((revision) => waiters.wait(revision, 60_000)));
    waiters.reach(2);
    await settled();
    expect(told).toEqual([undefined, undefined, undefined, undefined]);
    waiters.reach(4);
    await settled();
    expect(told).toEqual([undefined, true, undefined, true]);
    waiters.reach(9);
    await settled();
    expect(told).toEqual([true, true, true, true]);
  });

  it('are released when their time is over, whoever waits longer or shorter', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const waiters = new RevisionWaiters();
    const told = outcomesOf([waiters.wait(1, 4_000), waiters.wait(2, 1_000), waiters.wait(3, 2_000)]);
    await vi.advanceTimersByTimeAsync(1_001);
    expect(told).toEqual([undefined, false, undefined]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(told).toEqual([undefined, false, false]);
    waiters.reach(1);
    await vi.advanceTimersByTimeAsync(0);
    expect(told).toEqual([true, false, false]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('are released when the store closes', async () => {
    const waiters = new RevisionWaiters();
    const told = outcomesOf([waiters.wait(1, 60_000), waiters.wait(2, Number.MAX_SAFE_INTEGER)]);
    waiters.close();
    await settled();
    expect(told).toEqual([false, false]);
  });
});
