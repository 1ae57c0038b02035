/** Blocks of IP addresses (CIDR, RFC 4632 and RFC 4291), and addresses as numbers within them. */
import { formatIpAddress, type IpAddress, parseIpAddress } from './ip-address.js';

export type IpFamily = 'IPv4' | 'IPv6';

/** An address as a number of its family. */
export interface IpNumber {
  readonly family: IpFamily;
  readonly value: bigint;
}

/** The addresses that begin with the same bits. */
export interface IpRange {
  readonly family: IpFamily;
  /** The first address; bits behind the prefix that were written are dropped. */
  readonly first: bigint;
  /** How many addresses. */
  readonly size: bigint;
  /** How many bits they have in common. */
  readonly prefixLength: number;
}

const mappedPrefix = 0xffffn << 32n;

/**
 * Reads an address in any spelling; leading zeros in IPv4 do not make it octal. An IPv4 address that is mapped to IPv6
 * counts as IPv4. `undefined` for what is no address.
 */
export function ipNumber(text: string): IpNumber | undefined {
  if (text.includes('%') || text.length > 64) return undefined;
  const read = parseIpAddress(text.replace(/(^|[.:])0+(?=\d{1,3}(\.|$))/g, '$1'));
  if (!read.ok) return undefined;
  const value = numberOf(read.address);
  if (read.address.family === 4) return { family: 'IPv4', value };
  return value >> 32n === 0xffffn ? { family: 'IPv4', value: value - mappedPrefix } : { family: 'IPv6', value };
}

function numberOf(address: IpAddress): bigint {
  if (address.family === 4) return address.octets.reduce((sum, octet) => sum * 256n + BigInt(octet), 0n);
  return address.groups.reduce((sum, group) => sum * 65536n + BigInt(group), 0n);
}

/** An address in canonical form. */
export function ipText({ family, value }: IpNumber): string {
  const digit = (bits: number, i: number): number => Number((value >> BigInt(bits * i)) & ((1n << BigInt(bits)) - 1n));
  if (family === 'IPv4') return formatIpAddress({ family: 4, octets: [3, 2, 1, 0].map((i) => digit(8, i)) });
  return formatIpAddress({ family: 6, groups: [7, 6, 5, 4, 3, 2, 1, 0].map((i) => digit(16, i)), zone: '' });
}

/** The canonical form of an address in any spelling; the text itself where it is none. */
export function canonicalIp(text: string): string {
  const read = ipNumber(text);
  return read ? ipText(read) : text;
}

/** Reads a block as in `10.0.0.0/16`; `undefined` for what is none. */
export function parseIpRange(text: string): IpRange | undefined {
  const match = /^([^/]+)\/0*(\d{1,3})$/.exec(text);
  const address = ipNumber(match?.[1] ?? '');
  if (!match || !address) return undefined;
  const bits = address.family === 'IPv4' ? 32 : 128;
  const prefixLength = Number(match[2]);
  if (prefixLength > bits) return undefined;
  const size = 1n << BigInt(bits - prefixLength);
  return { family: address.family, first: (address.value / size) * size, size, prefixLength };
}

/** A block in canonical form. */
export function ipRangeText({ family, first, prefixLength }: IpRange): string {
  return `${ipText({ family, value: first })}/${prefixLength}`;
}

/** Whether an address lies in a block. */
export function isInRange(range: IpRange, { family, value }: IpNumber): boolean {
  return family === range.family && value >= range.first && value < range.first + range.size;
}

/** Whether a block lies in another and is smaller. */
export function isStrictPart(part: IpRange, whole: IpRange): boolean {
  return part.prefixLength > whole.prefixLength && isInRange(whole, { family: part.family, value: part.first });
}
