/** IP addresses and blocks of them. */
import { isIPv4 as isFourNumbers, isIPv6 as isStrictIPv6 } from '../../objects/names/network-names.js';

/** A part of a dotted address that begins with a zero. */
const zeroLed = /[:.]0\d+\.|\.0\d/;

/**
 * An IPv4 address, or an IPv6 address that ends in the dotted form. Leading zeros are passed over: the numbers are
 * decimal.
 */
export function isIPv4(text: string): boolean {
  return isFourNumbers(text) || (text.includes('.') && isLenientIPv6(text));
}

/** An IPv6 address of RFC 4291 without a zone; numbers of its dotted form have no leading zeros. */
export function isIPv6(text: string): boolean {
  return isStrictIPv6(text) && !zeroLed.test(text);
}

/** A block of addresses: an address, a slash and a number of bits, all of them with leading zeros or without. */
export function isCidr(text: string): boolean {
  const slash = text.indexOf('/');
  const address = text.slice(0, Math.max(slash, 0));
  const bits = text.slice(slash + 1);
  const most = isFourNumbers(address) ? 32 : isLenientIPv6(address) ? 128 : -1;
  return slash !== -1 && /^0*\d{1,3}$/.test(bits) && Number(bits) <= most;
}

/** As `isIPv6`, but leading zeros are passed over in every part. */
function isLenientIPv6(text: string): boolean {
  return isStrictIPv6(text.replace(/(?<![0-9a-fA-F])0+(?=[0-9a-fA-F])/g, ''));
}
