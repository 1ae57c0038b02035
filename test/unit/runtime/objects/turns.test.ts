/** A request that takes long lets others have their turn. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { finish, inTurns, mapSync, type Steps, Turns } from '../../../../runtime/objects/turns.js';

afterEach(() => vi.useRealTimers());

describe('a request', () => {
  it('continues at once while it is short', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const turns = new Turns();
    vi.advanceTimersByTime(19);
    expect(turns.giveWay()).toBeUndefined();
  });

  it('yields after a long time, and then has the same time again', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const turns = new Turns();
    vi.advanceTimersByTime(21);
    let others = false;
    setImmediate(() => {
      others = true;
    });
    await turns.giveWay();
    expect(others).toBe(true);
    expect(turns.giveWay()).toBeUndefined();
    vi.advanceTimersByTime(21);
    await turns.giveWay();
  });
});

describe('work in steps', () => {
  function* work(pauses: number): Steps<string> {
    for (let i = 0; i < pauses; i++) yield;
    return 'done';
  }

  it('is done at once while it is short', () => {
    expect(inTurns(work(3))).toBe('done');
    expect(finish(work(3))).toBe('done');
  });

  it('lets others have their turn once it takes long', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    let others = 0;
    function* long(): Steps<string> {
      for (let i = 0; i < 3; i++) {
        vi.advanceTimersByTime(21);
        setImmediate(() => others++);
        yield;
        expect(others).toBe(i + 1);
      }
      return 'done';
    }
    await expect(inTurns(long())).resolves.toBe('done');
  });
});

describe('mapSync', () => {
  it('returns a promise only if one of the results is one', async () => {
    expect(mapSync([1, 2], (n) => n * 2)).toEqual([2, 4]);
    expect(mapSync([], () => 1)).toEqual([]);
    const mixed = mapSync([1, 2, 3], (n) => (n === 2 ? Promise.resolve(n * 2) : n * 2));
    expect(mixed).toBeInstanceOf(Promise);
    expect(await mixed).toEqual([2, 4, 6]);
  });
});
