/** Checks addresses of endpoints and load balancers, and warns about odd spellings. */

import type { LoadBalancerIngress } from '../../generated/types/core/v1/types.js';
import type { Draft, FieldError } from '../../runtime/contract/index.js';
import { invalidValue } from '../../runtime/objects/field-error.js';
import {
  formatIpAddress,
  type IpNumber,
  type IpRange,
  ipNumber,
  ipRangeText,
  isInRange,
  parseIpAddress,
  parseIpRange,
} from '../../runtime/objects/ip-address.js';
import { dns1123Subdomain } from '../../runtime/objects/names/name-checks.js';
import { quote } from '../../runtime/objects/printing.js';

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

/** Returns the addresses, or the host names without addresses, unique and sorted, joined by commas. */
export function loadBalancerText(points: readonly Point[] = []): string {
  const names = points.flatMap(({ ip, hostname }) => ip || hostname || []);
  return [...new Set(names)].sort().join(',');
}

// Warnings about addresses that are accepted only for old objects: other software may read them differently.

/** Warns about an address at a path. */
export function addressWarnings(text: string, path: string): readonly string[] {
  const read = parseIpAddress(text);
  if (!read.ok) {
    return [`${path}: IP address was accepted, but will be invalid in a future Kubernetes release: ${read.problem}`];
  }
  const canonical = formatIpAddress(read.address);
  if (read.address.family === 4 || canonical === text) return [];
  return [
    `${path}: IPv6 address ${quote(text)} is not in RFC 5952 canonical format (${quote(canonical)}), which may cause controller apply-loops`,
  ];
}

/** Warns about an address block at a path. */
export function rangeWarnings(text: string, path: string): readonly string[] {
  const address = text.split('/', 1)[0] ?? '';
  const read = parseIpAddress(address);
  if (!read.ok) {
    const problem = `netip.ParsePrefix(${quote(text)}): ${read.problem}`;
    return [`${path}: IP prefix was accepted, but will be invalid in a future Kubernetes release: ${problem}`];
  }
  const range = parseIpRange(text);
  const canonical = range ? ipRangeText(range) : text;
  if (read.address.family === 4 || canonical === text) return [];
  return [
    `${path}: IPv6 prefix ${quote(text)} is not in RFC 5952 canonical format (${quote(canonical)}), which may cause controller apply-loops`,
  ];
}
