/** IP addresses and ranges of them. */
import { formatIpAddress, type IpAddress, parseIpAddress } from '../../objects/ip-address.js';
import { quote } from '../../objects/printing.js';
import { bool, int, opaque, string, type Type } from '../check/types.js';
import type { FunctionDeclaration, Library } from '../environment.js';
import { fail } from '../values/error.js';
import { type CelValue, Opaque } from '../values/value.js';
import { declare, member, overload } from './declare.js';

const ipName = 'net.IP';
const cidrName = 'net.CIDR';
const ip = opaque(ipName);
const cidr = opaque(cidrName);

const types: Readonly<Record<string, Type>> = { [ipName]: ip, [cidrName]: cidr };

export const networkLibrary: Library = {
  name: 'network',
  types,
  functions: [
    declare(
      'ip',
      overload('string_to_ip', [string], ip, toIp),
      member('cidr_ip', [cidr], ip, ({ address }: Cidr) => new Ip(address)),
    ),
    declare(
      'isIP',
      overload('is_ip_string', [string], bool, (text: string) => typeof readIp(text) !== 'string'),
    ),
    declare(
      'ip.isCanonical',
      overload('ip_is_canonical', [string], bool, (text: string) => toIp(text).text === text),
    ),
    declare(
      'family',
      member('ip_family', [ip], int, ({ address }: Ip) => address.family),
    ),
    test('isUnspecified', 'is_unspecified', (value) => within('unspecified', value)),
    test('isLoopback', 'is_loopback', (value) => within('loopback', value)),
    test('isLinkLocalMulticast', 'is_link_local_multicast', isLinkLocalMulticast),
    test('isLinkLocalUnicast', 'is_link_local_unicast', (value) => within('linkLocalUnicast', value)),
    test('isGlobalUnicast', 'is_global_unicast', isGlobalUnicast),
    declare('cidr', overload('string_to_cidr', [string], cidr, toCidr)),
    declare(
      'isCIDR',
      overload('is_cidr_string', [string], bool, (text: string) => typeof readCidr(text) !== 'string'),
    ),
    declare(
      'containsIP',
      member('cidr_contains_ip_string', [cidr, string], bool, (range: Cidr, text: string) =>
        range.holds(toIp(text).bits),
      ),
      member('cidr_contains_ip_ip', [cidr, ip], bool, (range: Cidr, { bits }: Ip) => range.holds(bits)),
    ),
    declare(
      'containsCIDR',
      member('cidr_contains_cidr_string', [cidr, string], bool, (range: Cidr, text: string) =>
        includes(range, toCidr(text)),
      ),
      member('cidr_contains_cidr', [cidr, cidr], bool, includes),
    ),
    declare(
      'masked',
      member('cidr_masked', [cidr], cidr, (range: Cidr) => range.masked()),
    ),
    declare(
      'prefixLength',
      member('cidr_prefix_length', [cidr], int, ({ length }: Cidr) => length),
    ),
    declare(
      'string',
      overload('ip_to_string', [ip], string, ({ text }: Ip) => text),
      overload('cidr_to_string', [cidr], string, ({ text }: Cidr) => text),
    ),
  ],
};

/** An address as a number of `width` bits. */
interface Bits {
  readonly width: 32 | 128;
  readonly value: bigint;
}

function bitsOf(address: IpAddress): Bits {
  if (address.family === 4)
    return { width: 32, value: address.octets.reduce((sum, octet) => sum * 256n + BigInt(octet), 0n) };
  return { width: 128, value: address.groups.reduce((sum, group) => sum * 65536n + BigInt(group), 0n) };
}

function addressOf({ width, value }: Bits): IpAddress {
  const part = (size: bigint, count: number): number[] =>
    Array.from({ length: count }, (_, i) => Number((value >> (size * BigInt(count - 1 - i))) & ((1n << size) - 1n)));
  return width === 32 ? { family: 4, octets: part(8n, 4) } : { family: 6, groups: part(16n, 8), zone: '' };
}

class Ip extends Opaque {
  readonly typeName = ipName;
  readonly bits: Bits;

  constructor(readonly address: IpAddress) {
    super();
    this.bits = bitsOf(address);
  }

  get text(): string {
    return formatIpAddress(this.address);
  }

  equals(other: CelValue): boolean {
    return other instanceof Ip && this.text === other.text;
  }
}

class Cidr extends Opaque {
  readonly typeName = cidrName;

  constructor(
    readonly address: IpAddress,
    readonly length: number,
  ) {
    super();
  }

  get bits(): Bits {
    return bitsOf(this.address);
  }

  get text(): string {
    return `${formatIpAddress(this.address)}/${this.length}`;
  }

  /** Returns whether an address of the same width has the same prefix. */
  holds({ width, value }: Bits): boolean {
    const own = this.bits;
    const rest = BigInt(own.width - this.length);
    return width === own.width && value >> rest === own.value >> rest;
  }

  masked(): Cidr {
    const { width, value } = this.bits;
    const rest = BigInt(width - this.length);
    return new Cidr(addressOf({ width, value: (value >> rest) << rest }), this.length);
  }

  equals(other: CelValue): boolean {
    return other instanceof Cidr && this.text === other.text;
  }
}

/** Reads an address, or returns why it is invalid. Zones and IPv4-mapped IPv6 addresses are invalid. */
function readIp(text: string): Ip | string {
  const read = parseIpAddress(text);
  if (!read.ok) return `IP Address ${quote(text)} parse error during conversion from string: ${read.problem}`;
  const { address } = read;
  if (address.family === 6 && address.zone !== '') return `IP address ${quote(text)} with zone value is not allowed`;
  if (isMapped(address)) return `IPv4-mapped IPv6 address ${quote(text)} is not allowed`;
  return new Ip(address);
}

function isMapped(address: IpAddress): boolean {
  return (
    address.family === 6 && address.groups[5] === 0xffff && address.groups.slice(0, 5).every((group) => group === 0)
  );
}

function readCidr(text: string): Cidr | string {
  const problem = 'network address parse error during conversion from string';
  const refuse = (why: string): string => `${problem}: netip.ParsePrefix(${quote(text)}): ${why}`;
  const slash = text.lastIndexOf('/');
  if (slash === -1) return refuse("no '/'");
  const read = parseIpAddress(text.slice(0, slash));
  if (!read.ok) return refuse(read.problem);
  if (read.address.family === 6 && read.address.zone !== '') return refuse('IPv6 zones cannot be present in a prefix');
  if (isMapped(read.address)) return `${problem}: IPv4-mapped IPv6 address ${quote(text)} is not allowed`;
  const bits = text.slice(slash + 1);
  if (!/^(?:0|[1-9]\d{0,2})$/.test(bits)) return refuse(`bad bits after slash: ${quote(bits)}`);
  const length = Number(bits);
  return length > bitsOf(read.address).width ? refuse('prefix length out of range') : new Cidr(read.address, length);
}

function toIp(text: string): Ip {
  const read = readIp(text);
  return typeof read === 'string' ? fail(read) : read;
}

function toCidr(text: string): Cidr {
  const read = readCidr(text);
  return typeof read === 'string' ? fail(read) : read;
}

/** Ranges that have a name, by family. */
const ranges = {
  unspecified: ['0.0.0.0/32', '::/128'],
  loopback: ['127.0.0.0/8', '::1/128'],
  linkLocalMulticast: ['224.0.0.0/24', 'ff02::/16'],
  linkLocalUnicast: ['169.254.0.0/16', 'fe80::/10'],
  multicast: ['224.0.0.0/4', 'ff00::/8'],
  broadcast: ['255.255.255.255/32'],
} as const;

const parsedRanges = Object.fromEntries(
  Object.entries(ranges).map(([name, texts]) => [name, texts.map((text) => toCidr(text))]),
);

function within(name: keyof typeof ranges, { bits }: Ip): boolean {
  return parsedRanges[name]?.some((range) => range.holds(bits)) === true;
}

/** Returns whether an IPv6 address is link-local multicast, by the scope in the second octet, with any flags. */
function isLinkLocalMulticast(value: Ip): boolean {
  const { address } = value;
  return address.family === 4 ? within('linkLocalMulticast', value) : ((address.groups[0] ?? 0) & 0xff0f) === 0xff02;
}

function isGlobalUnicast(value: Ip): boolean {
  return !(['unspecified', 'loopback', 'multicast', 'linkLocalUnicast', 'broadcast'] as const).some((name) =>
    within(name, value),
  );
}

function test(name: string, id: string, run: (value: Ip) => boolean): FunctionDeclaration {
  return declare(name, member(`ip_${id}`, [ip], bool, run));
}

function includes(range: Cidr, other: Cidr): boolean {
  return other.length >= range.length && range.holds(other.bits);
}
