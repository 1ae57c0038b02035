/** Turns a file's bytes into text: UTF-8 only, without its byte order mark. */
import type { TextProblem } from './yaml-problem.js';

/** The text; as far as it is text, where there is a problem. */
export interface Decoded {
  readonly text: string;
  readonly problem?: TextProblem;
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** The text of `bytes`, or where it stops being UTF-8. */
export function decodeText(bytes: Uint8Array): Decoded {
  const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (utf16) {
    return { text: '', problem: notUtf8(0, 'the file is UTF-16, not UTF-8') };
  }
  try {
    return { text: strict.decode(bytes) };
  } catch {
    const offset = validPrefix(bytes);
    const text = new TextDecoder('utf-8').decode(bytes.subarray(0, offset));
    const hex = (bytes[offset] ?? 0).toString(16).padStart(2, '0');
    return { text, problem: notUtf8(text.length, `the file is not UTF-8: byte 0x${hex} at offset ${offset}`) };
  }
}

function notUtf8(offset: number, message: string): TextProblem {
  return { code: 'KF1002', offset, message, suggestion: 'save the file as UTF-8' };
}

/** Length of the longest prefix that is UTF-8, by halving. */
function validPrefix(bytes: Uint8Array): number {
  let good = 0;
  let bad = bytes.length;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (isPrefixOfUtf8(bytes.subarray(0, middle))) good = middle;
    else bad = middle;
  }
  return good;
}

/** Whether bytes are UTF-8 that may be cut off inside its last character. */
function isPrefixOfUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
