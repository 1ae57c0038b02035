/** Turns a file's bytes into text: UTF-8 only, without its byte order mark. */
import type { Code } from '../diagnostics/codes.js';

/** The text; only its valid beginning if it has a problem. */
export interface Decoded {
  readonly text: string;
  readonly problem?: TextProblem;
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** Decodes bytes. Returns the text, or the place where the bytes stop being UTF-8. */
export function decodeText(bytes: Uint8Array): Decoded {
  const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (utf16) {
    return { text: '', problem: notUtf8(0, 'the file is UTF-16, not UTF-8') };
  }
  try {
    return { text: strict.decode(bytes) };
  } catch {
    const text = readable(bytes);
    const offset = Buffer.byteLength(text) + (isMarked(bytes) ? 3 : 0);
    const hex = (bytes[offset] ?? 0).toString(16).padStart(2, '0');
    return { text, problem: notUtf8(text.length, `the file is not UTF-8: byte 0x${hex} at offset ${offset}`) };
  }
}

/** Returns whether bytes begin with a byte order mark, which is not part of the text. */
function isMarked(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

function notUtf8(offset: number, message: string): TextProblem {
  return { code: 'KF1002', offset, message, suggestion: 'save the file as UTF-8' };
}

/** Returns the text up to the first invalid byte, found by bisection. */
function readable(bytes: Uint8Array): string {
  let good = 0;
  let bad = bytes.length;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (decodePrefix(bytes, middle) === undefined) bad = middle;
    else good = middle;
  }
  return decodePrefix(bytes, good) ?? '';
}

/** Returns the text of the first bytes, without a partial last character; `undefined` if they are not UTF-8. */
function decodePrefix(bytes: Uint8Array, length: number): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, length), { stream: true });
  } catch {
    return undefined;
  }
}

/** A mistake at an offset of the text, in UTF-16 units from 0. */
export interface TextProblem {
  readonly code: Code;
  readonly offset: number;
  readonly message: string;
  readonly suggestion?: string;
}
