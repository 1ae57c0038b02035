/** Reads `--history-window` and `--history-size`: how much of the past a server keeps. */
import type { Result } from '../../runtime/contract/index.js';
import { parseQuantity, quantityInUnits } from '../../runtime/objects/quantity.js';
import { badRequest } from '../../runtime/objects/status.js';
import { parseDuration } from '../../runtime/objects/time/duration.js';

/** What bounds the history; whichever is reached first. */
export interface HistorySetting {
  readonly historyWindowMs: number;
  readonly historyMaxBytes: number;
}

const oneDayMs = 24 * 60 * 60 * 1000;

/** Reads a duration from a second to a day, and a quantity of bytes from one mebibyte to one tebibyte. */
export function readHistorySetting(window: string, size: string): Result<HistorySetting> {
  const nanoseconds = parseDuration(window);
  const historyWindowMs = Number((nanoseconds ?? 0n) / 1_000_000n);
  if (historyWindowMs < 1000 || historyWindowMs > oneDayMs) {
    return wrong(`--history-window ${window} is no duration from 1s to 24h; say how long, as in 5m`);
  }
  const quantity = parseQuantity(size);
  const historyMaxBytes = quantity.ok ? Number(quantityInUnits(quantity.value)) : 0;
  if (historyMaxBytes < 2 ** 20 || historyMaxBytes > 2 ** 40) {
    return wrong(`--history-size ${size} is no size from 1Mi to 1Ti; say how much, as in 64Mi`);
  }
  return { ok: true, value: { historyWindowMs, historyMaxBytes } };
}

const wrong = (message: string): Result<never> => ({ ok: false, failure: badRequest(message) });
