/** Checks addresses of endpoints and load balancers, and warns about odd spellings. */

import type { LoadBalancerIngress } from '../../generated/types/core/v1/types.js';
import type { Draft, FieldError } from '../../runtime/contract/index.js';
import { forbidden, invalidValue, notSupported } from '../../runtime/objects/field-error.js';
import {
  canonicalIp,
  formatIpAddress,
  type IpAddress,
  type IpNumber,
  type IpRange,
  ipNumber,
  ipRangeText,
  isInRange,
  parseIpAddress,
  parseIpRange,
} from '../../runtime/objects/ip-address.js';
import { dns1123Subdomain, type NameCheck } from '../../runtime/objects/names/name-checks.js';
import { ipAddress } from '../../runtime/objects/names/network-names.js';
import { quote } from '../../runtime/objects/printing.js';
import type { Release } from '../../runtime/objects/release.js';

/** The blocks of RFC 6890 that every node has, by family, and the rules against them. */
const special: readonly { readonly ranges: readonly (IpRange | undefined)[]; readonly rule: string }[] = [
  {
    ranges: ['127.0.0.0/8', '::1/128'].map(parseIpRange),
    rule: 'may not be in the loopback range (127.0.0.0/8, ::1/128)',
  },
  {
    ranges: ['169.254.0.0/16', 'fe80::/10'].map(parseIpRange),
    rule: 'may not be in the link-local range (169.254.0.0/16, fe80::/10)',
  },
  {
    ranges: ['224.0.0.0/24', 'ff02::/16'].map(parseIpRange),
    rule: 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
  },
];

/** Checks an address that receives traffic. */
export function specialAddressErrors(text: string, path: string): FieldError[] {
  const address = ipNumber(text);
  if (!address) return [invalidValue(path, text, 'must be a valid IP address')];
  const unspecified = address.value === 0n ? [invalidValue(path, text, `may not be unspecified (${text})`)] : [];
  const reserved = special.filter(({ ranges }) => ranges.some((range) => isIn(range, address)));
  return [...unspecified, ...reserved.map(({ rule }) => invalidValue(path, text, rule))];
}

const isIn = (range: IpRange | undefined, address: IpNumber): boolean => !!range && isInRange(range, address);

/** An entry point of a load balancer. */
type Point = Pick<Draft<LoadBalancerIngress>, 'ip' | 'hostname'>;

/** Checks the addresses and host names of a load balancer. */
export const loadBalancerErrors = (points: readonly Point[] = []): readonly FieldError[] =>
  points.flatMap((point, i) => pointErrors(point, `status.loadBalancer.ingress[${i}]`));

function pointErrors({ ip, hostname }: Point, path: string): readonly FieldError[] {
  const wrong = (value: string, field: string, problem: string): FieldError =>
    invalidValue(`${path}.${field}`, value, problem);
  return [
    ...(ip && !ipNumber(ip) ? [wrong(ip, 'ip', 'must be a valid IP address')] : []),
    ...(hostname ? dns1123Subdomain(hostname).map((problem) => wrong(hostname, 'hostname', problem)) : []),
    ...(hostname && ipNumber(hostname) ? [wrong(hostname, 'hostname', 'must be a DNS name, not an IP address')] : []),
  ];
}

const modes = ['Proxy', 'VIP'] as const;

/** Checks the modes of entry points: only addresses have one. */
export const balancerModeErrors = (points: readonly Draft<LoadBalancerIngress>[]): readonly FieldError[] =>
  points.flatMap(({ ip, ipMode }, i) => {
    const path = `status.loadBalancer.ingress[${i}].ipMode`;
    if (ipMode === undefined) return [];
    if (!ip) return [forbidden(path, 'may not be specified when `ip` is not set')];
    return modes.some((known) => known === ipMode) ? [] : [notSupported(path, ipMode, modes)];
  });

/** Returns the addresses, or the host names without addresses, unique and sorted, joined by commas. */
export function loadBalancerText(points: readonly Point[] = []): string {
  const names = points.flatMap(({ ip, hostname }) => ip || hostname || []);
  return [...new Set(names)].sort().join(',');
}

// Addresses of later releases: only in spellings that all software reads the same way.

const wrongAddress = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
const wrongRange = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';

/** Returns whether an address is an IPv4 address in the form of IPv6. */
const isMapped = (read: IpAddress): boolean =>
  read.family === 6 && read.groups.slice(0, 6).every((group, i) => group === (i === 5 ? 0xffff : 0));

/** Checks an address by the strict rule. It need not be canonical. */
export const strictAddress: NameCheck = (text) => {
  if (!ipNumber(text)) return [wrongAddress];
  const read = parseIpAddress(text);
  if (!read.ok) return ['must not have leading 0s'];
  return isMapped(read.address) ? ['must not be an IPv4-mapped IPv6 address'] : [];
};

/** Checks a block of addresses by the strict rule. */
export const strictRange: NameCheck = (text) => {
  const range = parseIpRange(text);
  if (!range) return [wrongRange];
  const [address = '', length = ''] = text.split('/');
  const read = parseIpAddress(address);
  if (!read.ok || /^0\d/.test(length)) return ['must not have leading 0s in IP or prefix length'];
  if (isMapped(read.address)) return ['must not have an IPv4-mapped IPv6 address'];
  return ipNumber(address)?.value === range.first ? [] : ['must not have bits set beyond the prefix length'];
};

/** Returns a check by the strict rule or the older one. Values that were there before stay as they are. */
export const addressCheck = (release: Release, before: readonly string[] = []): NameCheck =>
  keeping(before, release.does('strictAddresses') ? strictAddress : ipAddress);

const keeping =
  (before: readonly string[], check: NameCheck): NameCheck =>
  (text) =>
    before.includes(text) ? [] : check(text);

/** A text of an object, with its path. */
export type Placed = readonly [path: string, text: string];

/**
 * Checks addresses by the strict rule, or blocks if `of` says so. Leaves out texts that were there before, and texts
 * that the older rule refuses: they have another error.
 */
export function newAddressErrors(
  now: readonly Placed[],
  before: readonly Placed[] = [],
  of: 'addresses' | 'blocks' = 'addresses',
): readonly FieldError[] {
  const known = new Set(before.map(([, text]) => text));
  const isRead = (text: string) => (of === 'blocks' ? parseIpRange(text) : ipNumber(text)) !== undefined;
  const check = of === 'blocks' ? strictRange : strictAddress;
  return now.flatMap(([path, text]) =>
    known.has(text) || !isRead(text) ? [] : check(text).map((problem) => invalidValue(path, text, problem)),
  );
}

// Warnings about addresses that are accepted only for old objects: other software may read them differently.

/** Warns about an address at a path. */
export function addressWarnings(text: string, path: string, release: Release): readonly string[] {
  const isLater = release.does('exactAddressWarnings');
  const read = parseIpAddress(text);
  if (isLater && (!read.ok || isMapped(read.address))) {
    const advice = `use ${quote(canonicalIp(text))}`;
    return ipNumber(text) ? [`${path}: non-standard IP address ${quote(text)} ${willBeInvalid}: ${advice}`] : [];
  }
  if (!read.ok) {
    return [`${path}: IP address was accepted, but will be invalid in a future Kubernetes release: ${read.problem}`];
  }
  const canonical = formatIpAddress(read.address);
  if (read.address.family === 4 || canonical === text) return [];
  return [notCanonical(`${path}: IPv6 address ${quote(text)}`, canonical, isLater)];
}

const willBeInvalid = 'will be considered invalid in a future Kubernetes release';

function notCanonical(subject: string, canonical: string, isLater: boolean): string {
  if (isLater) return `${subject} should be in RFC 5952 canonical format (${quote(canonical)})`;
  return `${subject} is not in RFC 5952 canonical format (${quote(canonical)}), which may cause controller apply-loops`;
}

/** Warns about an address block at a path. */
export function rangeWarnings(text: string, path: string, release: Release): readonly string[] {
  const address = text.split('/', 1)[0] ?? '';
  const read = parseIpAddress(address);
  const range = parseIpRange(text);
  if (release.does('exactAddressWarnings')) return range ? laterRangeWarnings(text, path, range) : [];
  if (!read.ok) {
    const problem = `netip.ParsePrefix(${quote(text)}): ${read.problem}`;
    return [`${path}: IP prefix was accepted, but will be invalid in a future Kubernetes release: ${problem}`];
  }
  const canonical = range ? ipRangeText(range) : text;
  if (read.address.family === 4 || canonical === text) return [];
  return [notCanonical(`${path}: IPv6 prefix ${quote(text)}`, canonical, false)];
}

function laterRangeWarnings(text: string, path: string, range: IpRange): readonly string[] {
  const [problem] = strictRange(text);
  const [address = ''] = text.split('/');
  const canonical = ipRangeText(range);
  const single = `${canonicalIp(address)}/${range.family === 'IPv4' ? 32 : 128}`;
  const isAmbiguous = ipNumber(address)?.value !== range.first;
  const choice = `should be ${quote(canonical)} or ${quote(single)}?`;
  const subject = `${path}: non-standard CIDR value ${quote(text)}`;
  const shown = isAmbiguous ? [`${path}: CIDR value ${quote(text)} is ambiguous in this context (${choice})`] : [];
  if (problem && !problem.includes('bits')) return [...shown, `${subject} ${willBeInvalid}: use ${quote(canonical)}`];
  if (range.family === 'IPv4' || isAmbiguous || canonical === text) return shown;
  return [...shown, notCanonical(`${path}: IPv6 CIDR value ${quote(text)}`, canonical, true)];
}
