/** Writes DER (ITU-T X.690), as far as certificates need it. */
import { tags } from './der.js';

/** Encodes a value with a tag. Its content is all `contents` in order. */
export function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Uint8Array.of(tag), lengthOf(content.length), content]);
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length);
  const digits = length.toString(16);
  const octets = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
  return Buffer.concat([Uint8Array.of(0x80 | octets.length), octets]);
}

export const sequence = (...members: readonly Uint8Array[]): Buffer => der(tags.sequence, ...members);

/** Wraps values in a context-specific tag with this number. */
export const inContext = (number: number, ...members: readonly Uint8Array[]): Buffer =>
  der(tags.context0 + number, ...members);

/** Encodes a positive integer of any length, with the highest octet first. */
export function integer(octets: Uint8Array): Buffer {
  const first = octets.findIndex((octet) => octet !== 0);
  const digits = first === -1 ? Uint8Array.of(0) : octets.subarray(first);
  // Without the zero octet, a first bit of 1 would make the number negative.
  return (digits[0] ?? 0) >= 0x80 ? der(tags.integer, Uint8Array.of(0), digits) : der(tags.integer, digits);
}

/** Encodes an object identifier, as in `2.5.4.3`. */
export function objectId(id: string): Buffer {
  const [top = 0, second = 0, ...rest] = id.split('.').map(Number);
  return der(tags.oid, Buffer.from([top * 40 + second, ...rest].flatMap(base128)));
}

/** Returns the digits of a number in base 128. The first bit of all digits except the last is 1. */
function base128(number: number): number[] {
  const digits = [number % 128];
  for (let left = Math.floor(number / 128); left > 0; left = Math.floor(left / 128))
    digits.unshift(0x80 | (left % 128));
  return digits;
}

/** Encodes bytes as a bit string, without the last `unused` bits. */
export const bitString = (bytes: Uint8Array, unused = 0): Buffer => der(tags.bitString, Uint8Array.of(unused), bytes);

export const octetString = (bytes: Uint8Array): Buffer => der(tags.octetString, bytes);

export const utf8String = (text: string): Buffer => der(tags.utf8String, Buffer.from(text));

const booleanTag = 0x01;
const utcTimeTag = 0x17;
const generalizedTimeTag = 0x18;

/** The null value, which some algorithms have as parameters. */
export const nothing: Buffer = der(0x05);

export const yes: Buffer = der(booleanTag, Uint8Array.of(0xff));

/** Encodes a time of certificates to the second. Years before 2050 have two digits (RFC 5280 section 4.1.2.5). */
export function time(date: Date): Buffer {
  const digits = `${date.toISOString().replace(/\.\d+Z$|[-:T]/g, '')}Z`;
  return date.getUTCFullYear() < 2050
    ? der(utcTimeTag, Buffer.from(digits.slice(2)))
    : der(generalizedTimeTag, Buffer.from(digits));
}
