/** A request that takes long lets others have their turn. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Turns } from '../../../../runtime/objects/turns.js';

afterEach(() => vi.useRealTimers());

describe('a request', () => {
  it('goes on at once while it is short', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const turns = new Turns();
    vi.advanceTimersByTime(19);
    expect(turns.giveWay()).toBeUndefined();
  });

  it('gives way once it has taken long, and then has as long again', async () => {
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
