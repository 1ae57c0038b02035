/** Reads limits as texts: counts, sizes and times with the bounds that each has. */
import type { Result } from '../../runtime/contract/index.js';
import { parseDuration } from '../../runtime/objects/scan/duration.js';
import { parseQuantity, quantityInUnits } from '../../runtime/objects/scan/quantity.js';
import { badRequest } from '../../runtime/objects/status.js';

/** Reads a whole number from `least` to a thousand million. */
export function readCount(text: string, least = 1): Result<number> {
  const count = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (count >= least && count <= 1e9) return { ok: true, value: count };
  return wrong(`${text || '(nothing)'} is not a number from ${least} to 1000000000`);
}

/** Reads a quantity of bytes between two others, as in `16Ki`. */
export function readSize(text: string, least: string, most: string): Result<number> {
  const bytes = bytesOf(text);
  if (bytes >= bytesOf(least) && bytes <= bytesOf(most)) return { ok: true, value: bytes };
  return wrong(
    `${text || '(nothing)'} is not a size from ${least} to ${most}; use a number of bytes, or one with a unit`,
  );
}

/** Reads a duration from a tenth of a second to a day, in milliseconds. */
export function readTime(text: string): Result<number> {
  const milliseconds = Number((parseDuration(text) ?? 0n) / 1_000_000n);
  if (milliseconds >= 100 && milliseconds <= 86_400_000) return { ok: true, value: milliseconds };
  return wrong(`${text || '(nothing)'} is not a duration from 100ms to 24h; use a number and a unit, such as 30s`);
}

function bytesOf(text: string): number {
  const quantity = parseQuantity(text);
  return quantity.ok ? Number(quantityInUnits(quantity.value)) : Number.NaN;
}

const wrong = (message: string): Result<never> => ({ ok: false, failure: badRequest(message) });
