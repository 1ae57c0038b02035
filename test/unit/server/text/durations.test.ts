import { describe, expect, it } from 'vitest';
import { readHistorySize, readHistoryWindow } from '../../../../server/text/durations.js';

const value = (read: { readonly ok: boolean; readonly value?: number }): number | undefined => read.value;

describe('history', () => {
  it('has a duration, and a size', () => {
    expect(readHistoryWindow('5m')).toEqual({ ok: true, value: 300_000 });
    expect(readHistorySize('64Mi')).toEqual({ ok: true, value: 64 * 1024 * 1024 });
    expect(value(readHistoryWindow('1h30m'))).toBe(5_400_000);
    expect(value(readHistorySize('2G'))).toBe(2_000_000_000);
    expect([readHistoryWindow('1s'), readHistoryWindow('24h')].every(({ ok }) => ok)).toBe(true);
    expect([readHistorySize('1Mi'), readHistorySize('1Ti')].every(({ ok }) => ok)).toBe(true);
  });

  it.each(['', '5', 'five', '0s', '999ms', '-5m', '24h1s', '9999999h'])('is refused for %j', (window) =>
    expect(readHistoryWindow(window)).toMatchObject({
      failure: { message: `${window}: must be a duration from 1s to 24h; use a number and a unit, such as 5m` },
    }),
  );

  it.each(['', 'much', '0', '-1Gi', '1023Ki', '1025Gi', '1e99'])('is refused with size %j', (size) =>
    expect(readHistorySize(size)).toMatchObject({
      failure: { message: `${size}: must be a size from 1Mi to 1Ti; use a number and a unit, such as 64Mi` },
    }),
  );
});
