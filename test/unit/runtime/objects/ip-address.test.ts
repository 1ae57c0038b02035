/** IP addresses: which texts are valid, and which spelling is canonical. */
import { isIP, isIPv4 } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  canonicalIp,
  formatIpAddress,
  ipNumber,
  ipRangeText,
  isInRange,
  isStrictPart,
  parseIpAddress,
  parseIpRange,
} from '../../../../runtime/objects/ip-address.js';

const canonical = (text: string): string => {
  const parsed = parseIpAddress(text);
  return parsed.ok ? formatIpAddress(parsed.address) : parsed.problem;
};

describe('parseIpAddress', () => {
  it('agrees with the system about valid addresses', () => {
    const texts = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.ipV4Extended(),
      fc.stringMatching(/^[0-9a-fA-F:.]{1,20}$/),
      fc.stringMatching(/^(([0-9a-f]{1,4}|0)?:){1,9}([0-9a-f]{1,4}|1\.2\.3\.4)?$/),
      fc.stringMatching(/^(\d{1,3}\.){2,5}\d{0,3}$/),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(parseIpAddress(text).ok, text).toBe(isIP(text) !== 0);
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    ['localhost', 'unable to parse IP'],
    ['', 'unable to parse IP'],
    ['%eth0', 'missing IPv6 address'],
    ['256.1.1.1', 'IPv4 field has value >255'],
    ['1.2.3', 'IPv4 address too short'],
    ['1.2.3.4.5', 'IPv4 address too long'],
    ['1.2.3.04', 'IPv4 field has octet with leading zero'],
    ['1..2.3', 'IPv4 field must have at least one digit (at ".2.3")'],
    ['1.2.3.', 'IPv4 field must have at least one digit (at ".")'],
    ['1.2.3.4/8', 'unexpected character (at "/8")'],
    ['1:2:3', 'address string too short'],
    ['1:2:3:4:5:6:7:8:9', 'trailing garbage after address (at "9")'],
    ['12345::', 'each group must have 4 or less digits (at "12345::")'],
    [':1', 'each colon-separated field must have at least one digit (at ":1")'],
    ['1::2::3', 'multiple :: in address (at ":3")'],
    ['1:2:3:4:5:6:7:', 'colon must be followed by more characters (at ":")'],
    ['1:2:3:4:5:6:7::8', 'the :: must expand to at least one field of zeros'],
    ['1:g::', 'each colon-separated field must have at least one digit (at "g::")'],
    ['1g::', 'unexpected character, want colon (at "g::")'],
    ['1:1.2.3.4', 'embedded IPv4 address must replace the final 2 fields of the address (at "1.2.3.4")'],
    ['fe80::1%', 'zone must be a non-empty string'],
  ])('reports the mistake in %j', (text, problem) => {
    expect(canonical(text)).toBe(`ParseAddr(${JSON.stringify(text)}): ${problem}`);
  });
});

describe('formatIpAddress', () => {
  it('writes IPv6 like another implementation of RFC 5952, except mapped addresses', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constant(0), fc.nat({ max: 0xffff })), { minLength: 8, maxLength: 8 }),
        (groups) => {
          const text = groups.map((group) => group.toString(16).padStart(4, '0')).join(':');
          fc.pre(!text.startsWith('0000:0000:0000:0000:0000:ffff:'));
          expect(`[${canonical(text)}]`).toBe(new URL(`http://[${text}]`).hostname);
        },
      ),
    );
  });

  it('is read back as the same address', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
        const once = canonical(text);
        expect(canonical(once)).toBe(once);
        expect(isIPv4(once)).toBe(isIPv4(text));
      }),
    );
  });

  it.each([
    ['0:0:0:0:0:0:0:0', '::'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['fe80:0:0:0:0:0:0:0', 'fe80::'],
    ['2001:DB8::0:1', '2001:db8::1'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['1:0:0:2:0:0:3:4', '1::2:0:0:3:4'],
    ['1:0:2:3:4:5:6:7', '1:0:2:3:4:5:6:7'],
    ['::ffff:102:304', '::ffff:1.2.3.4'],
    ['::1.2.3.4', '::102:304'],
    ['64:ff9b::1.2.3.4', '64:ff9b::102:304'],
    ['FE80::1%Eth0', 'fe80::1%Eth0'],
  ])('writes %s as %s', (text, written) => {
    expect(canonical(text)).toBe(written);
  });
});

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
    '%j is refused',
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
    '%j is refused',
    (text) => {
      expect(parseIpRange(text)).toBeUndefined();
    },
  );

  it('contain the addresses of their family with the same prefix', () => {
    expect(isInRange(range('10.0.0.0/24'), address('10.0.0.255'))).toBe(true);
    expect(isInRange(range('10.0.0.0/24'), address('10.0.1.0'))).toBe(false);
    expect(isInRange(range('::/0'), address('10.0.0.1'))).toBe(false);
    expect(isStrictPart(range('10.0.0.0/25'), range('10.0.0.0/24'))).toBe(true);
    expect(isStrictPart(range('10.0.0.0/24'), range('10.0.0.0/24'))).toBe(false);
    expect(isStrictPart(range('10.0.1.0/25'), range('10.0.0.0/24'))).toBe(false);
  });
});
