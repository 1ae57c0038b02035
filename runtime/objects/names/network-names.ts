/** Addresses, ports and other names of the network. */
import { type NameCheck, none, patternCheck, tooLongName } from './name-checks.js';

const maxPortName = 15;

/** Checks an IANA service name, as for ports: at most 15 characters with a letter among them (RFC 6335). */
export const portName: NameCheck = (name) => {
  const problems: string[] = [];
  if (name.length > maxPortName) problems.push(tooLongName(maxPortName));
  if (!/^[-a-z0-9]+$/.test(name))
    problems.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  if (!/[a-z]/.test(name)) problems.push('must contain at least one letter (a-z)');
  if (name.includes('--')) problems.push('must not contain consecutive hyphens');
  if (name.startsWith('-') || name.endsWith('-')) problems.push('must not begin or end with a hyphen');
  return problems;
};

/** Returns the problems of a port number. */
export function portNumberProblems(port: number | bigint): readonly string[] {
  return rangeProblems(port, 1, 65535);
}

/** Returns the problems of a number that must lie between two others. */
export function rangeProblems(value: number | bigint, minimum: number, maximum: number): readonly string[] {
  return value >= minimum && value <= maximum ? none : [`must be between ${minimum} and ${maximum}, inclusive`];
}

/** Returns whether a text is four decimal numbers up to 255, separated by dots. Leading zeros are allowed. */
export function isIPv4(text: string): boolean {
  const parts = text.split('.', 5);
  return parts.length === 4 && parts.every((part) => /^0*\d{1,3}$/.test(part) && Number(part) <= 255);
}

/** Returns whether a text is an IPv6 address of RFC 4291 in any spelling, without a zone. */
export function isIPv6(text: string): boolean {
  if (text.length > 45 || !text.includes(':')) return false;
  const halves = text.split('::');
  if (halves.length > 2) return false;
  const groups = halves.map((half) => (half === '' ? [] : half.split(':')));
  const last = groups.at(-1)?.at(-1) ?? '';
  const embedded = last.includes('.');
  if (embedded && !isIPv4(last)) return false;
  const all = groups.flat();
  const plain = embedded ? all.slice(0, -1) : all;
  if (!plain.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return false;
  const count = plain.length + (embedded ? 2 : 0);
  return halves.length === 2 ? count < 8 : count === 8;
}

/** Checks an IP address of either family in any spelling. */
export const ipAddress: NameCheck = (text) =>
  isIPv4(text) || isIPv6(text) ? none : ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'];

/** Checks a block of addresses: an address, a slash and a number of bits. */
export const cidr: NameCheck = (text) => {
  const match = /^([^/]+)\/(\d{1,8})$/.exec(text);
  const address = match?.[1] ?? '';
  const bits = isIPv4(address) ? 32 : isIPv6(address) ? 128 : -1;
  const valid = match !== null && Number(match[2]) <= bits;
  return valid ? none : ['must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'];
};

/** The name of an HTTP header. */
export const httpHeaderName: NameCheck = patternCheck({
  source: '[-A-Za-z0-9]+',
  meaning: "a valid HTTP header must consist of alphanumeric characters or '-'",
  examples: ['X-Header-Name'],
});

/** A whole number of percent. */
export const percent: NameCheck = patternCheck({
  source: '[0-9]+%',
  meaning: "a valid percent string must be a numeric string followed by an ending '%'",
  examples: ['1%', '93%'],
});
