import { expect, it } from 'vitest';
import { type KeysInFlight, noQueueMetrics, WorkQueue } from '../../../../controllers/kit/index.js';
import { FakeClock } from '../../../support/fake-clock.js';

it('returns a key once, however often it was added, in the order of the first additions', async () => {
  const queue = new WorkQueue({ clock: new FakeClock() });
  for (const key of ['a', 'b', 'a', 'c', 'b']) queue.add(key);
  expect(queue.size).toBe(3);
  expect([await queue.take(), await queue.take(), await queue.take()]).toEqual(['a', 'b', 'c']);
});

it('keeps a key back while it is in flight, and returns it again afterwards', async () => {
  const queue = new WorkQueue({ clock: new FakeClock() });
  queue.add('a');
  await queue.take();
  queue.add('a');
  queue.add('a');
  queue.add('b');
  expect(await queue.take()).toBe('b');
  expect(queue.size).toBe(0);
  queue.done('a');
  expect(await queue.take()).toBe('a');
  queue.done('a');
  expect(queue.size).toBe(0);
});

it('delays a key that fails by 5 ms, 10 ms and so on up to 1,000 s, until it is forgotten', async () => {
  const clock = new FakeClock();
  const queue = new WorkQueue({ clock });
  const delays: number[] = [];
  for (let i = 0; i < 20; i++) {
    const before = clock.monotonicMs();
    queue.addFailed('a');
    const taken = queue.take().then(() => clock.monotonicMs() - before);
    await clock.advance(1_000_000);
    delays.push(await taken);
    queue.done('a');
  }
  expect(delays.slice(0, 4)).toEqual([5, 10, 20, 40]);
  expect(delays.slice(17)).toEqual([655_360, 1_000_000, 1_000_000]);
  queue.forget('a');
  queue.addFailed('a');
  await clock.advance(5);
  expect(queue.size).toBe(1);
});

it('adds a delayed key at the earliest requested time, and once', async () => {
  const clock = new FakeClock();
  const queue = new WorkQueue({ clock });
  queue.addAfter('a', 100);
  queue.addAfter('a', 50);
  queue.addAfter('a', 200);
  await clock.advance(49);
  expect(queue.size).toBe(0);
  await clock.advance(1);
  expect(await queue.take()).toBe('a');
  queue.done('a');
  await clock.advance(1000);
  expect(queue.size).toBe(0);
});

it('ends waiting calls when it is closed, and accepts nothing more', async () => {
  const clock = new FakeClock();
  const queue = new WorkQueue({ clock });
  const taken = queue.take();
  queue.addAfter('a', 10);
  queue.close();
  expect(await taken).toBeUndefined();
  await clock.advance(20);
  queue.add('b');
  expect([queue.size, await queue.take()]).toEqual([0, undefined]);
});

it('reports its figures', async () => {
  const clock = new FakeClock();
  const told: string[] = [];
  let underWay = (): KeysInFlight | undefined => undefined;
  const metrics = {
    ...noQueueMetrics,
    added: () => void told.push('added'),
    retried: () => void told.push('retried'),
    depth: (keys: number) => void told.push(`depth ${keys}`),
    queued: (seconds: number) => void told.push(`queued ${seconds}`),
    worked: (seconds: number) => void told.push(`worked ${seconds}`),
    observe: (ask: () => KeysInFlight) => {
      underWay = ask;
    },
  };
  const queue = new WorkQueue({ clock, metrics });
  queue.add('a');
  await clock.advance(2000);
  await queue.take();
  await clock.advance(3000);
  expect(underWay()).toEqual({ unfinishedSeconds: 3, longestSeconds: 3 });
  queue.done('a');
  queue.addFailed('a');
  expect(told).toEqual(['added', 'depth 1', 'queued 2', 'depth 0', 'worked 3', 'retried']);
});

it('retries 10 keys per second after a burst of 100, however many fail', async () => {
  const clock = new FakeClock();
  const queue = new WorkQueue({ clock });
  for (let i = 0; i < 120; i++) queue.addFailed(`key-${i}`);
  await clock.advance(5);
  expect(queue.size).toBe(100);
  await clock.advance(1000);
  expect(queue.size).toBe(110);
  await clock.advance(1000);
  expect(queue.size).toBe(120);
});

it('keeps the given rate', async () => {
  const clock = new FakeClock();
  const queue = new WorkQueue({ clock, rate: { perSecond: 1, burst: 1 } });
  for (const key of ['a', 'b', 'c']) queue.addFailed(key);
  await clock.advance(1000);
  expect(queue.size).toBe(2);
});
