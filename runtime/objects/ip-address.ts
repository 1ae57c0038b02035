/**
 * IP addresses as texts: reads every spelling that RFC 4291 allows, and writes the one that RFC 5952 calls canonical.
 */
import { quote } from './printing.js';

/** Four octets, or eight groups of 16 bits with an optional zone. */
export type IpAddress =
  | { readonly family: 4; readonly octets: readonly number[] }
  | { readonly family: 6; readonly groups: readonly number[]; readonly zone: string };

/** An address, or why the text is not an address, in the words that clients know. */
export type IpAddressResult =
  | { readonly ok: true; readonly address: IpAddress }
  | { readonly ok: false; readonly problem: string };

/** A mistake, and the rest of the text from there if it helps. */
interface Mistake {
  readonly what: string;
  readonly at?: string;
}

/** Reads an address. Leading zeros in IPv4 are a mistake, because some programs read them as octal. */
export function parseIpAddress(text: string): IpAddressResult {
  const mark = /[.:%]/.exec(text)?.[0];
  const read = mark === '.' ? parseIPv4(text) : mark === ':' ? parseIPv6(text) : undefined;
  if (Array.isArray(read)) return { ok: true, address: { family: 4, octets: read } };
  if (read && 'groups' in read) return { ok: true, address: { family: 6, ...read } };
  const { what, at }: Mistake = read ?? { what: mark === '%' ? 'missing IPv6 address' : 'unable to parse IP' };
  const place = at === undefined ? '' : ` (at ${quote(at)})`;
  return { ok: false, problem: `ParseAddr(${quote(text)}): ${what}${place}` };
}

function parseIPv4(text: string): number[] | Mistake {
  const octets: number[] = [];
  let digits = '';
  for (let i = 0; i <= text.length; i++) {
    const char = text[i];
    if (char !== undefined && char >= '0' && char <= '9') {
      if (digits === '0') return { what: 'IPv4 field has octet with leading zero' };
      digits += char;
      if (Number(digits) > 255) return { what: 'IPv4 field has value >255' };
      continue;
    }
    if (char !== undefined && char !== '.') return { what: 'unexpected character', at: text.slice(i) };
    if (digits === '') return { what: 'IPv4 field must have at least one digit', at: text.slice(i) };
    if (char === '.' && i === text.length - 1) return { what: 'IPv4 field must have at least one digit', at: '.' };
    if (octets.length === 4 || (char === '.' && octets.length === 3)) return { what: 'IPv4 address too long' };
    octets.push(Number(digits));
    digits = '';
  }
  return octets.length === 4 ? octets : { what: 'IPv4 address too short' };
}

function parseIPv6(text: string): { readonly groups: readonly number[]; readonly zone: string } | Mistake {
  const percent = text.indexOf('%');
  const zone = percent === -1 ? '' : text.slice(percent + 1);
  if (percent !== -1 && zone === '') return { what: 'zone must be a non-empty string' };
  const groups: number[] = [];
  let rest = percent === -1 ? text : text.slice(0, percent);
  let ellipsis = -1;
  if (rest.startsWith('::')) {
    ellipsis = 0;
    rest = rest.slice(2);
  }
  while (rest !== '' && groups.length < 8) {
    const digits = /^[0-9a-fA-F]{0,5}/.exec(rest)?.[0] ?? '';
    if (digits.length > 4) return { what: 'each group must have 4 or less digits', at: rest };
    if (digits === '') return { what: 'each colon-separated field must have at least one digit', at: rest };
    if (rest[digits.length] === '.') return embedIPv4(groups, ellipsis, rest, zone);
    groups.push(Number.parseInt(digits, 16));
    rest = rest.slice(digits.length);
    if (rest === '') break;
    if (rest[0] !== ':') return { what: 'unexpected character, want colon', at: rest };
    if (rest.length === 1) return { what: 'colon must be followed by more characters', at: rest };
    rest = rest.slice(1);
    if (rest[0] !== ':') continue;
    if (ellipsis !== -1) return { what: 'multiple :: in address', at: rest };
    ellipsis = groups.length;
    rest = rest.slice(1);
  }
  if (rest !== '') return { what: 'trailing garbage after address', at: rest };
  return expand(groups, ellipsis, zone);
}

/** Reads the last two groups, which may be an IPv4 address. */
function embedIPv4(
  groups: readonly number[],
  ellipsis: number,
  rest: string,
  zone: string,
): ReturnType<typeof parseIPv6> {
  if (ellipsis === -1 && groups.length !== 6) {
    return { what: 'embedded IPv4 address must replace the final 2 fields of the address', at: rest };
  }
  if (groups.length > 6) {
    return { what: 'too many hex fields to fit an embedded IPv4 at the end of the address', at: rest };
  }
  const octets = parseIPv4(rest);
  if (!Array.isArray(octets)) return { what: octets.what, at: rest };
  const [a = 0, b = 0, c = 0, d = 0] = octets;
  return expand([...groups, a * 256 + b, c * 256 + d], ellipsis, zone);
}

/** Replaces `::` by groups of zeros. */
function expand(groups: readonly number[], ellipsis: number, zone: string): ReturnType<typeof parseIPv6> {
  if (groups.length === 8) {
    return ellipsis === -1 ? { groups, zone } : { what: 'the :: must expand to at least one field of zeros' };
  }
  if (ellipsis === -1) return { what: 'address string too short' };
  const zeros = new Array<number>(8 - groups.length).fill(0);
  return { groups: [...groups.slice(0, ellipsis), ...zeros, ...groups.slice(ellipsis)], zone };
}

/**
 * Returns an address in canonical form (RFC 5952): lower case, no leading zeros, the first of the longest runs of two
 * or more zero groups as `::`, and IPv4 addresses that are mapped to IPv6 in mixed notation.
 */
export function formatIpAddress(address: IpAddress): string {
  if (address.family === 4) return address.octets.join('.');
  const { groups, zone } = address;
  return zone === '' ? formatGroups(groups) : `${formatGroups(groups)}%${zone}`;
}

function formatGroups(groups: readonly number[]): string {
  const mapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (mapped) {
    const octets = groups.slice(6).flatMap((group) => [group >> 8, group & 0xff]);
    return `::ffff:${octets.join('.')}`;
  }
  const { start, length } = longestZeros(groups);
  const hex = groups.map((group) => group.toString(16));
  if (length < 2) return hex.join(':');
  return `${hex.slice(0, start).join(':')}::${hex.slice(start + length).join(':')}`;
}

function longestZeros(groups: readonly number[]): { readonly start: number; readonly length: number } {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < groups.length; start++) {
    let length = 0;
    while (groups[start + length] === 0) length++;
    if (length > best.length) best = { start, length };
  }
  return best;
}

export type IpFamily = 'IPv4' | 'IPv6';

/** An address as a number of its family. */
export interface IpNumber {
  readonly family: IpFamily;
  readonly value: bigint;
}

/** A block: all addresses that begin with the same bits. */
export interface IpRange {
  readonly family: IpFamily;
  /** The first address, with all bits after the prefix zero, even if the text has others. */
  readonly first: bigint;
  /** How many addresses. */
  readonly size: bigint;
  /** How many bits they have in common. */
  readonly prefixLength: number;
}

const mappedPrefix = 0xffffn << 32n;

/**
 * Reads an address in any spelling. Leading zeros in IPv4 do not make it octal. An IPv4 address that is mapped to IPv6
 * counts as IPv4. Returns `undefined` for other texts.
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

/** Returns an address in canonical form. */
export function ipText({ family, value }: IpNumber): string {
  const digit = (bits: number, i: number): number => Number((value >> BigInt(bits * i)) & ((1n << BigInt(bits)) - 1n));
  if (family === 'IPv4') return formatIpAddress({ family: 4, octets: [3, 2, 1, 0].map((i) => digit(8, i)) });
  return formatIpAddress({ family: 6, groups: [7, 6, 5, 4, 3, 2, 1, 0].map((i) => digit(16, i)), zone: '' });
}

/** Returns the canonical form of an address in any spelling, or other texts unchanged. */
export function canonicalIp(text: string): string {
  const read = ipNumber(text);
  return read ? ipText(read) : text;
}

/** Reads a block such as `10.0.0.0/16`; returns `undefined` for other texts. */
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

/** Returns a block in canonical form. */
export function ipRangeText({ family, first, prefixLength }: IpRange): string {
  return `${ipText({ family, value: first })}/${prefixLength}`;
}

/** Returns whether an address is inside a block. */
export function isInRange(range: IpRange, { family, value }: IpNumber): boolean {
  return family === range.family && value >= range.first && value < range.first + range.size;
}

/** Returns whether a block is inside another and smaller. */
export function isStrictPart(part: IpRange, whole: IpRange): boolean {
  return part.prefixLength > whole.prefixLength && isInRange(whole, { family: part.family, value: part.first });
}
