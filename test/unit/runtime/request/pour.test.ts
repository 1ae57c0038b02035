/** Lists that are made while they are sent: at the client's pace, limited in number, and broken off if necessary. */
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ListsInMaking, pour } from '../../../../runtime/request/pour.js';

afterEach(() => vi.useRealTimers());

/** Makes a client that takes a piece when the test calls it. */
function slowClient() {
  const seen = { pieces: 0, ended: false, broken: false };
  let take = (): void => {};
  const sink = {
    buffered: 0,
    write: () => void seen.pieces++,
    taken: () =>
      new Promise<void>((resolve) => {
        take = resolve;
      }),
    end: () => {
      seen.ended = true;
    },
    destroy: () => {
      seen.broken = true;
    },
  };
  const takeOne = (): Promise<void> => {
    take();
    return turn();
  };
  return { sink, seen, take: takeOne };
}

function* pieces(count: number, fault?: Error): Generator<Uint8Array> {
  for (let i = 0; i < count; i++) yield Buffer.from('piece');
  if (fault) throw fault;
}
const unexpected = (error: unknown): never => {
  throw error;
};

describe('a list that is made while it is sent', () => {
  it('makes a piece once the one before it was taken', async () => {
    const { sink, seen, take } = slowClient();
    pour(pieces(3), new ListsInMaking(1), unexpected)(sink);
    for (const made of [1, 2, 3]) {
      expect(seen).toEqual({ pieces: made, ended: false, broken: false });
      await take();
    }
    expect(seen).toEqual({ pieces: 3, ended: true, broken: false });
  });

  it('is counted until it has ended, and others wait for it', async () => {
    const lists = new ListsInMaking(1);
    const [first, second] = [slowClient(), slowClient()];
    pour(pieces(1), lists, unexpected)(first.sink);
    expect(lists.isFull).toBe(true);
    pour(pieces(1), lists, unexpected)(second.sink);
    expect(second.seen.pieces).toBe(0);
    await first.take();
    expect(second.seen.pieces).toBe(1);
    await second.take();
    expect(second.seen.ended).toBe(true);
    expect(lists.isFull).toBe(false);
  });

  it('frees its place when its client goes, whether it had begun or not', async () => {
    const lists = new ListsInMaking(1);
    const [first, second] = [slowClient(), slowClient()];
    const stops = [first, second].map(({ sink }) => pour(pieces(9), lists, unexpected)(sink));
    stops[1]?.();
    stops[0]?.();
    expect(lists.isFull).toBe(false);
    await first.take();
    expect([first.seen.pieces, second.seen.pieces]).toEqual([1, 0]);
  });

  it('is broken off if a piece cannot be made', async () => {
    const lists = new ListsInMaking(1);
    const { sink, seen, take } = slowClient();
    const faults: unknown[] = [];
    const fault = new Error('unreadable');
    pour(pieces(1, fault), lists, (error) => faults.push(error))(sink);
    await take();
    expect(faults).toEqual([fault]);
    expect(seen).toEqual({ pieces: 1, ended: false, broken: true });
    expect(lists.isFull).toBe(false);
  });

  it('is broken off when its client takes nothing for a minute', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const lists = new ListsInMaking(1);
    const { sink, seen } = slowClient();
    pour(pieces(2), lists, unexpected)(sink);
    vi.advanceTimersByTime(59_000);
    expect(seen.broken).toBe(false);
    vi.advanceTimersByTime(2000);
    expect(seen.broken).toBe(true);
    expect(lists.isFull).toBe(false);
  });
});
