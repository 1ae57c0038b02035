import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sleep, systemClock } from '../../../client/clock.js';
import { limitingTime } from '../../../client/connection/time-limit.js';
import type { TransportResponse } from '../../../client/transport.js';

const dayMs = 86_400_000;

describe('waits longer than a timer can', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('last their whole time', async () => {
    const act = vi.fn();
    systemClock.after(60 * dayMs, act);
    await vi.advanceTimersByTimeAsync(60 * dayMs - 1);
    expect(act).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(act).toHaveBeenCalledOnce();
  });

  it('can be canceled at any time, and leave nothing behind', async () => {
    const cancel = systemClock.after(Infinity, () => {});
    const stop = new AbortController();
    const slept = sleep(100 * dayMs, stop.signal);
    await vi.advanceTimersByTimeAsync(30 * dayMs);
    cancel();
    stop.abort();
    await slept;
    expect(vi.getTimerCount()).toBe(0);
  });

  it("also work for a request's time limit", async () => {
    const answer: TransportResponse = {
      status: 200,
      header: () => '',
      text: async () => '',
      chunks: async function* () {},
    };
    const late = limitingTime({ send: () => sleep(40 * dayMs, undefined).then(() => answer) });
    const sent = late.send({ method: 'GET', path: '/', headers: {}, timeoutMs: Infinity });
    await vi.advanceTimersByTimeAsync(40 * dayMs);
    expect((await sent).status).toBe(200);
  });
});
