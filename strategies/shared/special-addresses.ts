/** Addresses that mean something of their own, and so can be neither endpoints nor addresses of Services. */
import type { FieldError } from '../../runtime/contract/index.js';
import { invalidValue } from '../../runtime/objects/field-error.js';
import { type IpNumber, type IpRange, ipNumber, isInRange, parseIpRange } from '../../runtime/objects/ip-address.js';

/** Blocks and what they are for; of each family, those of RFC 6890 that every node has. */
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

/** Errors of an address that traffic is sent to. */
export function specialAddressErrors(text: string, path: string): FieldError[] {
  const address = ipNumber(text);
  if (!address) return [invalidValue(path, text, 'must be a valid IP address')];
  const unspecified = address.value === 0n ? [invalidValue(path, text, `may not be unspecified (${text})`)] : [];
  const reserved = special.filter(({ ranges }) => ranges.some((range) => isIn(range, address)));
  return [...unspecified, ...reserved.map(({ rule }) => invalidValue(path, text, rule))];
}

const isIn = (range: IpRange | undefined, address: IpNumber): boolean => !!range && isInRange(range, address);
