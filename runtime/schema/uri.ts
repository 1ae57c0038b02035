/** The formats of URIs, host names and addresses. */

import { byteLength } from '../objects/names/name-checks.js';
import { isIPv4 as isFourNumbers, isIPv6 as isStrictIPv6 } from '../objects/names/network-names.js';

const control = /\p{Cc}/u;
const brokenEscape = /%(?![0-9a-fA-F]{2})/;

/** Returns whether a text is a URI with a scheme (RFC 3986), or an absolute path. */
export function isRequestUri(text: string): boolean {
  if (text === '*') return true;
  if (text === '' || control.test(text)) return false;
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text)?.[0] ?? '';
  const rest = text.slice(scheme.length).replace(/\?.*$/s, '');
  if (!rest.startsWith('/')) return scheme !== '';
  if (scheme === '' || !rest.startsWith('//')) return !brokenEscape.test(rest);
  const end = rest.indexOf('/', 2);
  const authority = end === -1 ? rest.slice(2) : rest.slice(2, end);
  return isAuthority(authority) && !brokenEscape.test(end === -1 ? '' : rest.slice(end));
}

function isAuthority(authority: string): boolean {
  const at = authority.lastIndexOf('@');
  const user = at === -1 ? '' : authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user) || brokenEscape.test(user)) return false;
  const match = /^(\[[^\]]*\]|[^:[\]]*)(?::(\d*))?$/.exec(authority.slice(at + 1));
  if (match === null) return false;
  const host = match[1] ?? '';
  return !/[\s#/?@\\^`{|}]/.test(host) && isEscapedHost(host);
}

/** Returns whether all escapes in a host are for bytes beyond ASCII. */
function isEscapedHost(host: string): boolean {
  return host.startsWith('[') || !/%(?![89a-fA-F][0-9a-fA-F])/.test(host);
}

const maxBytes = 255;
const maxLabelBytes = 63;
const char = '[a-zA-Z0-9\\p{S}\\p{L}]';
const single = new RegExp(`^${char}-?${char}{0,62}$`, 'u');
const label = new RegExp(`^${char}(?:[a-zA-Z0-9\\-\\p{S}\\p{L}]{0,61}${char})?$`, 'u');
const topLevel = /^[a-zA-Z\p{L}]{2,63}$/u;

/**
 * Returns whether a text is a host name. It has labels by RFC 1034 (which may begin with a digit, as in RFC 1123) and a
 * last label of two letters or more. Or it is a single label, with at most one dash after its first character.
 */
export function isHostname(text: string): boolean {
  if (text.length > maxBytes || byteLength(text) > maxBytes) return false;
  const labels = text.split('.');
  if (labels.some((part) => byteLength(part) > maxLabelBytes)) return false;
  const last = labels.pop() ?? '';
  if (labels.length === 0) return single.test(last);
  return topLevel.test(last) && labels.every((part) => label.test(part));
}

/** Matches a part of a dotted address that begins with a zero. */
const zeroLed = /[:.]0\d+\.|\.0\d/;

/**
 * Returns whether a text is an IPv4 address, or an IPv6 address that ends in the dotted form. Ignores leading zeros,
 * because the numbers are decimal.
 */
export function isIPv4(text: string): boolean {
  return isFourNumbers(text) || (text.includes('.') && isLenientIPv6(text));
}

/**
 * Returns whether a text is an IPv6 address of RFC 4291 without a zone, and without leading zeros in its dotted form.
 */
export function isIPv6(text: string): boolean {
  return isStrictIPv6(text) && !zeroLed.test(text);
}

/**
 * Returns whether a text is an address block: an address, a slash and a number of bits. The number may have leading
 * zeros.
 */
export function isCidr(text: string): boolean {
  const slash = text.indexOf('/');
  const address = text.slice(0, Math.max(slash, 0));
  const bits = text.slice(slash + 1);
  const most = isFourNumbers(address) ? 32 : isLenientIPv6(address) ? 128 : -1;
  return slash !== -1 && /^0*\d{1,3}$/.test(bits) && Number(bits) <= most;
}

/** Works like `isIPv6`, but ignores leading zeros in every part. */
function isLenientIPv6(text: string): boolean {
  return isStrictIPv6(text.replace(/(?<![0-9a-fA-F])0+(?=[0-9a-fA-F])/g, ''));
}
