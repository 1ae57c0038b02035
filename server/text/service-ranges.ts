/** Reads the ranges from which Services get addresses and ports on nodes. */
import type { Result } from '../../runtime/contract/index.js';
import { type IpRange, ipRangeText, parseIpRange } from '../../runtime/objects/addresses/ip-range.js';
import { badRequest } from '../../runtime/objects/status.js';
import type { ServiceRanges } from '../../strategies/index.js';

/** Reads a block, or one of IPv4 and one of IPv6, as in `10.0.0.0/16,fd00::/112`. */
export function readAddresses(text: string): Result<readonly IpRange[]> {
  const blocks = text.split(',').map((block) => ({ block, range: parseIpRange(block.trim()) }));
  const wrong = (problem: string): Result<never> => refuse(`${text}: ${problem}`);
  const unknown = blocks.find(({ range }) => range === undefined);
  if (unknown)
    return wrong(`${unknown.block || '(nothing)'} is not an IP range; use CIDR notation, such as 10.0.0.0/16`);
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
  return refuse(`${text} is not a range of ports; use the form 30000-32767`);
}

const refuse = (message: string): Result<never> => ({ ok: false, failure: badRequest(message) });
