/** Tests how much history the flags ask for. */
import { describe, expect, it } from 'vitest';
import { readHistorySetting } from '../../../../bin/serve/history-setting.js';

describe('readHistorySetting', () => {
  it('reads durations and sizes', () => {
    expect(readHistorySetting('5m', '64Mi')).toEqual({
      ok: true,
      value: { historyWindowMs: 300_000, historyMaxBytes: 64 * 1024 * 1024 },
    });
    expect(readHistorySetting('1h30m', '2G')).toMatchObject({
      value: { historyWindowMs: 5_400_000, historyMaxBytes: 2_000_000_000 },
    });
    expect(readHistorySetting('1s', '1Mi').ok).toBe(true);
    expect(readHistorySetting('24h', '1Ti').ok).toBe(true);
  });

  it.each(['', '5', 'five', '0s', '999ms', '-5m', '24h1s', '9999999h'])('refuses a window of %j', (window) => {
    expect(readHistorySetting(window, '64Mi')).toMatchObject({
      failure: { message: `--history-window ${window} is no duration from 1s to 24h; say how long, as in 5m` },
    });
  });

  it.each(['', 'much', '0', '-1Gi', '1023Ki', '1025Gi', '1e99'])('refuses a size of %j', (size) => {
    expect(readHistorySetting('5m', size)).toMatchObject({
      failure: { message: `--history-size ${size} is no size from 1Mi to 1Ti; say how much, as in 64Mi` },
    });
  });
});
