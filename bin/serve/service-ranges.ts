/** Reads the ranges from which Services get addresses and ports on nodes. */
import type { Result } from '../../runtime/contract/index.js';
import { ipRangeText, parseIpRange } from '../../runtime/objects/ip-range.js';
import { badRequest } from '../../runtime/objects/status.js';
import type { ServiceRanges } from '../../strategies/index.js';

/**
 * Reads `--service-cluster-ip-range`, as `10.0.0.0/16` or `10.0.0.0/16,fd00::/112`, and `--service-node-port-range`, as
 * `30000-32767`. The failure's message names the flag.
 */
export function readServiceRanges(addresses: string, nodePorts: string): Result<ServiceRanges> {
  const blocks = addresses.split(',').map((text) => ({ text, range: parseIpRange(text.trim()) }));
  const unread = blocks.find(({ range }) => range === undefined);
  const wrong = (problem: string): Result<never> => refuse(`--service-cluster-ip-range ${addresses}: ${problem}`);
  if (unread) return wrong(`${unread.text || '(nothing)'} is no block of addresses; say one as in 10.0.0.0/16`);
  const ranges = blocks.flatMap(({ range }) => range ?? []);
  if (ranges.length > 2 || (ranges.length === 2 && ranges[0]?.family === ranges[1]?.family)) {
    return wrong('say one block, or one of IPv4 and one of IPv6');
  }
  const small = ranges.find(({ size }) => size < 8n);
  if (small) return wrong(`${ipRangeText(small)} has fewer than 8 addresses`);
  const ports = readPorts(nodePorts);
  if (!ports) {
    return refuse(`--service-node-port-range ${nodePorts} is no range of ports; say one as in 30000-32767`);
  }
  return { ok: true, value: { addresses: ranges, nodePorts: ports } };
}

function readPorts(text: string): ServiceRanges['nodePorts'] | undefined {
  const match = /^(\d{1,5})-(\d{1,5})$/.exec(text);
  const [first, last] = [Number(match?.[1]), Number(match?.[2])];
  return match && first >= 1 && first <= last && last <= 65_535 ? { first, last } : undefined;
}

const refuse = (message: string): Result<never> => ({ ok: false, failure: badRequest(message) });
