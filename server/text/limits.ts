/** Reads limits from texts: counts, sizes and times, each within its bounds. */
import type { JsonObject, Result } from '../../runtime/contract/index.js';
import { isObject } from '../../runtime/objects/guards.js';
import { type IpRange, ipRangeText, parseIpRange } from '../../runtime/objects/ip-address.js';
import { parseDuration } from '../../runtime/objects/scan/duration.js';
import { parseQuantity, quantityInUnits } from '../../runtime/objects/scan/quantity.js';
import { badRequest } from '../../runtime/objects/status.js';
import type { ServiceRanges } from '../../strategies/index.js';

/** Reads a whole number from `least` to a thousand million. */
export function readCount(text: string, least = 1): Result<number> {
  const count = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (count >= least && count <= 1e9) return { ok: true, value: count };
  return wrong(`${text || '(nothing)'}: must be a number from ${least} to 1000000000`);
}

/** Reads a quantity of bytes between two bounds, as in `16Ki`. */
export function readSize(text: string, least: string, most: string): Result<number> {
  const bytes = bytesOf(text);
  if (bytes >= bytesOf(least) && bytes <= bytesOf(most)) return { ok: true, value: bytes };
  return wrong(
    `${text || '(nothing)'}: must be a size from ${least} to ${most}; use a number of bytes, or one with a unit`,
  );
}

/** Reads a duration from a tenth of a second to a day, in milliseconds. */
export function readTime(text: string): Result<number> {
  const milliseconds = Number((parseDuration(text) ?? 0n) / 1_000_000n);
  if (milliseconds >= 100 && milliseconds <= 86_400_000) return { ok: true, value: milliseconds };
  return wrong(`${text || '(nothing)'}: must be a duration from 100ms to 24h; use a number and a unit, such as 30s`);
}

function bytesOf(text: string): number {
  const quantity = parseQuantity(text);
  return quantity.ok ? Number(quantityInUnits(quantity.value)) : Number.NaN;
}

const wrong = (message: string): Result<never> => ({ ok: false, failure: badRequest(message) });

/** Parses a JSON object; returns `undefined` for any other text. */
export function jsonObjectIn(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Reads one address range, or one of IPv4 and one of IPv6, as in `10.0.0.0/16,fd00::/112`. */
export function readAddresses(text: string): Result<readonly IpRange[]> {
  const blocks = text.split(',').map((block) => ({ block, range: parseIpRange(block.trim()) }));
  const wrong = (problem: string): Result<never> => refuse(`${text}: ${problem}`);
  const unknown = blocks.find(({ range }) => range === undefined);
  if (unknown)
    return wrong(`${unknown.block || '(nothing)'}: must be an IP range in CIDR notation, such as 10.0.0.0/16`);
  const ranges = blocks.flatMap(({ range }) => range ?? []);
  if (ranges.length > 2 || (ranges.length === 2 && ranges[0]?.family === ranges[1]?.family)) {
    return wrong('give one range, or one of IPv4 and one of IPv6');
  }
  const small = ranges.find(({ size }) => size < 8n);
  if (small) return wrong(`${ipRangeText(small)} has fewer than 8 addresses`);
  return { ok: true, value: ranges };
}

/** Reads ports from the first to the last, as in `30000-32767`. */
export function readPorts(text: string): Result<ServiceRanges['nodePorts']> {
  const match = /^(\d{1,5})-(\d{1,5})$/.exec(text);
  const [first, last] = [Number(match?.[1]), Number(match?.[2])];
  if (match && first >= 1 && first <= last && last <= 65_535) return { ok: true, value: { first, last } };
  return refuse(`${text}: must be a range of ports, such as 30000-32767`);
}

const refuse = (message: string): Result<never> => ({ ok: false, failure: badRequest(message) });
