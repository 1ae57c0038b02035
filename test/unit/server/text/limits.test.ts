import { describe, expect, it } from 'vitest';
import { ipRangeText } from '../../../../runtime/objects/ip-address.js';
import { jsonObjectIn, readAddresses, readPorts } from '../../../../server/text/limits.js';

it('reads a JSON object', () => expect(jsonObjectIn('{ "a": [1] }')).toEqual({ a: [1] }));

it.each(['', '{', '[]', 'null', '"a"', '1', '<html>'])('refuses %j', (text) =>
  expect(jsonObjectIn(text)).toBe(undefined),
);

const problemOf = (read: ReturnType<typeof readAddresses> | ReturnType<typeof readPorts>): string =>
  read.ok ? '' : read.failure.message;

describe('ranges of Services', () => {
  it.each([
    ['10.96.0.0/12', ['10.96.0.0/12']],
    ['10.96.7.9/12', ['10.96.0.0/12']],
    ['fd00::/112,10.0.0.0/24', ['fd00::/112', '10.0.0.0/24']],
  ])('reads %s', (text, ranges) => {
    const read = readAddresses(text);
    expect(read.ok && read.value.map(ipRangeText)).toEqual(ranges);
    expect(readPorts('8000-8000')).toEqual({ ok: true, value: { first: 8000, last: 8000 } });
  });

  it.each([
    ['', '(nothing): must be an IP range in CIDR notation, such as 10.0.0.0/16'],
    ['10.0.0.0', '10.0.0.0: must be an IP range in CIDR notation, such as 10.0.0.0/16'],
    ['10.0.0.0/33', '10.0.0.0/33: must be an IP range in CIDR notation, such as 10.0.0.0/16'],
    ['10.0.0.0/16,10.1.0.0/16', 'give one range, or one of IPv4 and one of IPv6'],
    ['10.0.0.0/30', '10.0.0.0/30 has fewer than 8 addresses'],
  ])('refuses %j', (text, problem) => expect(problemOf(readAddresses(text))).toBe(`${text}: ${problem}`));

  it.each(['', '30000', '0-10', '9-8', '1-65536', '1-x'])('refuses ports %j', (text) =>
    expect(problemOf(readPorts(text))).toBe(`${text}: must be a range of ports, such as 30000-32767`),
  );
});
