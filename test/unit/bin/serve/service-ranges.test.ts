/** The flags that say where addresses and ports of Services come from. */
import { describe, expect, it } from 'vitest';
import { readServiceRanges } from '../../../../bin/serve/service-ranges.js';
import { ipRangeText } from '../../../../runtime/objects/ip-range.js';

const ports = '30000-32767';
const problemOf = (addresses: string, nodePorts = ports): string => {
  const read = readServiceRanges(addresses, nodePorts);
  return read.ok ? '' : read.failure.message;
};

describe('ranges of Services', () => {
  it.each([
    ['10.96.0.0/12', ['10.96.0.0/12']],
    ['10.96.7.9/12', ['10.96.0.0/12']],
    ['fd00::/112,10.0.0.0/24', ['fd00::/112', '10.0.0.0/24']],
  ])('reads %s', (text, ranges) => {
    const read = readServiceRanges(text, '8000-8000');
    expect(read.ok && read.value.addresses.map(ipRangeText)).toEqual(ranges);
    expect(read.ok && read.value.nodePorts).toEqual({ first: 8000, last: 8000 });
  });

  it.each([
    ['', '(nothing) is no block of addresses; say one as in 10.0.0.0/16'],
    ['10.0.0.0', '10.0.0.0 is no block of addresses; say one as in 10.0.0.0/16'],
    ['10.0.0.0/33', '10.0.0.0/33 is no block of addresses; say one as in 10.0.0.0/16'],
    ['10.0.0.0/16,10.1.0.0/16', 'say one block, or one of IPv4 and one of IPv6'],
    ['10.0.0.0/30', '10.0.0.0/30 has fewer than 8 addresses'],
  ])('refuses %j', (text, problem) => {
    expect(problemOf(text)).toBe(`--service-cluster-ip-range ${text}: ${problem}`);
  });

  it.each(['', '30000', '0-10', '9-8', '1-65536', '1-x'])('refuses ports %j', (text) => {
    const problem = 'is no range of ports; say one as in 30000-32767';
    expect(problemOf('10.0.0.0/16', text)).toBe(`--service-node-port-range ${text} ${problem}`);
  });
});
