/** Repeats a function. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { repeat } from '../../../../packages/console/src/metrics/repeat.js';

describe('repeated runs', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('never overlap, even if one takes long', async () => {
    const ends: (() => void)[] = [];
    const stop = repeat(() => new Promise((resolve) => ends.push(() => resolve(10))));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(ends).toHaveLength(1);
    ends[0]?.();
    await vi.advanceTimersByTimeAsync(9);
    expect(ends).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(ends).toHaveLength(2);
    stop();
  });

  it('wait while paused', async () => {
    let isPaused = true;
    const run = vi.fn(async () => 10);
    const stop = repeat(run, () => isPaused);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(run).not.toHaveBeenCalled();
    isPaused = false;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(run).toHaveBeenCalled();
    stop();
  });

  it('end with the run in progress aborted, and none after it', async () => {
    const signals: AbortSignal[] = [];
    let end = (): void => {};
    const stop = repeat((signal) => {
      signals.push(signal);
      return new Promise((resolve) => (end = () => resolve(10)));
    });
    stop();
    end();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });
});
