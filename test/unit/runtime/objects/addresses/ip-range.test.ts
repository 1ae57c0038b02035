/** Blocks of addresses, and addresses as numbers. */
import { describe, expect, it } from 'vitest';
import {
  canonicalIp,
  ipNumber,
  ipRangeText,
  isInRange,
  isStrictPart,
  parseIpRange,
} from '../../../../../runtime/objects/addresses/ip-range.js';

const range = (text: string) => {
  const read = parseIpRange(text);
  if (!read) throw new Error(`no range: ${text}`);
  return read;
};
const address = (text: string) => ipNumber(text) ?? { family: 'IPv4' as const, value: -1n };

describe('addresses', () => {
  it.each([
    ['10.0.0.1', '10.0.0.1'],
    ['010.000.00.1', '10.0.0.1'],
    ['0.0.0.0', '0.0.0.0'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['::ffff:010.0.0.1', '10.0.0.1'],
    ['::', '::'],
  ])('%s is %s', (text, canonical) => {
    expect(canonicalIp(text)).toBe(canonical);
  });

  it.each(['', 'None', '10.0.0', '10.0.0.256', '10.0.0.1000', 'fe80::1%eth0', ':::', '1'.repeat(100)])(
    '%j is none',
    (text) => {
      expect(ipNumber(text)).toBeUndefined();
      expect(canonicalIp(text)).toBe(text);
    },
  );
});

describe('blocks', () => {
  it.each([
    ['10.96.7.9/12', '10.96.0.0/12'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['fd00::5/112', 'fd00::/112'],
    ['192.168.010.0/24', '192.168.10.0/24'],
  ])('%s is %s', (text, canonical) => {
    expect(ipRangeText(range(text))).toBe(canonical);
  });

  it.each(['', '10.0.0.0', '10.0.0.0/33', 'fd00::/129', '10.0.0.0/', '/8', '10.0.0.0/8/8', '10.0.0.0/-1'])(
    '%j is none',
    (text) => {
      expect(parseIpRange(text)).toBeUndefined();
    },
  );

  it('hold the addresses of their family that begin as they do', () => {
    expect(isInRange(range('10.0.0.0/24'), address('10.0.0.255'))).toBe(true);
    expect(isInRange(range('10.0.0.0/24'), address('10.0.1.0'))).toBe(false);
    expect(isInRange(range('::/0'), address('10.0.0.1'))).toBe(false);
    expect(isStrictPart(range('10.0.0.0/25'), range('10.0.0.0/24'))).toBe(true);
    expect(isStrictPart(range('10.0.0.0/24'), range('10.0.0.0/24'))).toBe(false);
    expect(isStrictPart(range('10.0.1.0/25'), range('10.0.0.0/24'))).toBe(false);
  });
});
