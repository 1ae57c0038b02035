/** Reads durations, and the size of the history. */
import type { Result } from '../../runtime/contract/index.js';
import { parseDuration } from '../../runtime/objects/scan/duration.js';
import { parseQuantity, quantityInUnits } from '../../runtime/objects/scan/quantity.js';
import { badRequest } from '../../runtime/objects/status.js';

const oneDayMs = 24 * 60 * 60 * 1000;

/** Reads a duration from a second to a day, in milliseconds. */
export function readHistoryWindow(text: string): Result<number> {
  const milliseconds = Number((parseDuration(text) ?? 0n) / 1_000_000n);
  if (milliseconds >= 1000 && milliseconds <= oneDayMs) return { ok: true, value: milliseconds };
  return wrong(`${text}: must be a duration from 1s to 24h; use a number and a unit, such as 5m`);
}

/** Reads a quantity of bytes from one mebibyte to one tebibyte. */
export function readHistorySize(text: string): Result<number> {
  const quantity = parseQuantity(text);
  const bytes = quantity.ok ? Number(quantityInUnits(quantity.value)) : 0;
  if (bytes >= 2 ** 20 && bytes <= 2 ** 40) return { ok: true, value: bytes };
  return wrong(`${text}: must be a size from 1Mi to 1Ti; use a number and a unit, such as 64Mi`);
}

/** The smallest maximum for the lifetime of tokens, as in kube-apiserver: an hour. */
const leastTokenSeconds = 3600;

/** Reads the longest lifetime of service account tokens, in seconds. */
export function readTokenLife(text: string): Result<number> {
  const seconds = Number((parseDuration(text) ?? 0n) / 1_000_000_000n);
  if (seconds >= leastTokenSeconds && seconds <= 2 ** 32) return { ok: true, value: seconds };
  return wrong(`${text}: must be a duration of at least 1h; use a number and a unit, such as 24h`);
}

/** Reads the longest lifetime of certificates, in milliseconds: from ten minutes to a hundred years. */
export function readCertificateLife(text: string): Result<number> {
  const milliseconds = Number((parseDuration(text) ?? 0n) / 1_000_000n);
  if (milliseconds >= 600_000 && milliseconds <= 36_525 * oneDayMs) return { ok: true, value: milliseconds };
  return wrong(`${text}: must be a duration of at least 10m; use a number and a unit, such as 8760h`);
}

/** Reads a duration from 0 to a day, in milliseconds. */
export function readTime(text: string): Result<number> {
  const milliseconds = Number((parseDuration(text) ?? -1n) / 1_000_000n);
  if (milliseconds >= 0 && milliseconds <= oneDayMs && parseDuration(text) !== undefined) {
    return { ok: true, value: milliseconds };
  }
  return wrong(`${text}: must be a duration from 0s to 24h; use a number and a unit, such as 2m`);
}

const wrong = (message: string): Result<never> => ({ ok: false, failure: badRequest(message) });
