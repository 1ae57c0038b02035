/** Reads the bytes of bodies as text, including bytes that are not UTF-8. */
import { isUtf8 } from 'node:buffer';

/** A text, or the problem of its bytes in the words of API servers. */
export type ReadText = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: string };

/**
 * Reads a text for YAML: UTF-8, or UTF-16 with a byte order mark. The mark is not part of the text. Other bytes are an
 * error.
 */
export function readText(bytes: Buffer): ReadText {
  const mark = bytes.length < 2 ? 0 : bytes.readUInt16BE(0);
  if (mark === 0xfffe) return readUtf16(bytes.subarray(2));
  if (mark === 0xfeff) return readUtf16(bytes.length % 2 === 0 ? Buffer.from(bytes.subarray(2)).swap16() : bytes);
  return isUtf8(bytes) ? { ok: true, text: bytes.toString('utf8') } : { ok: false, problem: utf8Problem(bytes) };
}

/** Replaces each byte that is not part of a UTF-8 sequence by U+FFFD, as Go reads JSON. */
export function repairUtf8(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  let copied = 0;
  for (let at = 0; at < bytes.length; ) {
    const width = sequenceWidth(bytes, at);
    if (width === 0) {
      parts.push(bytes.subarray(copied, at), replacement);
      copied = at + 1;
    }
    at += width || 1;
  }
  return Buffer.concat([...parts, bytes.subarray(copied)]);
}

const replacement = Buffer.from('\ufffd');

/** Returns the number of bytes of the sequence at an offset, or 0 if it is not valid. */
function sequenceWidth(bytes: Buffer, at: number): number {
  const width = writtenWidth(bytes[at] ?? 0);
  if (width < 2) return width;
  return at + width <= bytes.length && isUtf8(bytes.subarray(at, at + width)) ? width : 0;
}

/** Returns the number of bytes of a sequence by its first byte, or 0 if no sequence begins with that byte. */
function writtenWidth(lead: number): number {
  if (lead < 0x80) return 1;
  if (lead < 0xc0 || lead >= 0xf8) return 0;
  return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/** Reads UTF-16 with the lower byte first. */
function readUtf16(bytes: Buffer): ReadText {
  if (bytes.length % 2 !== 0) return { ok: false, problem: 'incomplete UTF-16 character' };
  const text = bytes.toString('utf16le');
  const lone = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.exec(text);
  if (lone === null) return { ok: true, text };
  if (lone[0] >= '\udc00') return { ok: false, problem: 'unexpected low surrogate area' };
  const isLast = lone.index === text.length - 1;
  return { ok: false, problem: isLast ? 'incomplete UTF-16 surrogate pair' : 'expected low surrogate area' };
}

/** Returns the problem of the first bytes that are not UTF-8. */
function utf8Problem(bytes: Buffer): string {
  for (let at = 0; ; ) {
    const lead = bytes[at] ?? 0;
    const width = writtenWidth(lead);
    if (width === 0) return 'invalid leading UTF-8 octet';
    if (at + width > bytes.length) return 'incomplete UTF-8 octet sequence';
    const rest = bytes.subarray(at + 1, at + width);
    if (rest.some((byte) => (byte & 0xc0) !== 0x80)) return 'invalid trailing UTF-8 octet';
    const code = rest.reduce((value, byte) => value * 64 + (byte & 0x3f), width === 1 ? lead : lead & (0x7f >> width));
    if (code < (smallest[width] ?? 0)) return 'invalid length of a UTF-8 sequence';
    if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) return 'invalid Unicode character';
    at += width;
  }
}

/** The smallest code point for each number of bytes. */
const smallest: readonly number[] = [0, 0, 0x80, 0x800, 0x10000];
