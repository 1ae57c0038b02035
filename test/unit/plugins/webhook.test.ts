import { describe, expect, it } from 'vitest';
import { CallsInFlight } from '../../../plugins/webhook.js';

describe('calls in flight', () => {
  it('share one answer, and are repeated afterwards', async () => {
    const calls = new CallsInFlight<number>();
    let made = 0;
    const ask = () => calls.share('a', async () => ++made);
    expect(await Promise.all([ask(), ask(), calls.share('b', async () => 7)])).toEqual([1, 1, 7]);
    expect(await ask()).toBe(2);
    expect(calls.size).toBe(0);
  });

  it('are forgotten when they fail, at once or later', async () => {
    const calls = new CallsInFlight<number>();
    const late = () => calls.share('a', () => Promise.reject(new Error('injected')));
    await expect(Promise.all([late(), late()])).rejects.toThrow('injected');
    const early = () =>
      calls.share('a', () => {
        throw new Error('thrown');
      });
    expect(early).toThrow('thrown');
    expect(calls.size).toBe(0);
    expect(await calls.share('a', async () => 1)).toBe(1);
  });
});
