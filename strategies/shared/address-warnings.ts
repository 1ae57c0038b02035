/** Warnings about addresses that are accepted for the sake of old objects, in forms that others may read differently. */
import { formatIpAddress, ipRangeText, parseIpAddress, parseIpRange } from '../../runtime/objects/ip-address.js';
import { quote } from '../../runtime/objects/printing.js';

/** About an address at a path. */
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

/** About a block of addresses at a path. */
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
