/** Looks over valid JSON once for the few things that `JSON.parse` hides. */

/** The findings of a scan. Only text that is valid JSON may be scanned. */
export interface JsonScan {
  /** Object keys in the text, repeats included. */
  readonly keys: number;
  /** Levels of nesting; 0 for a scalar. */
  readonly depth: number;
  /**
   * Whether `JSON.parse` may have lost something: long numbers, numbers with a point or exponent, surrogate escapes.
   */
  readonly lossy: boolean;
}

const quoteCode = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const zero = 0x30;
const nine = 0x39;
const point = 0x2e;
const upperE = 0x45;
const lowerE = 0x65;
const lowerU = 0x75;
const lowerD = 0x64;
const upperD = 0x44;

/** Integers of fewer digits are exact as JavaScript numbers. */
const exactDigits = 16;

/** Strings are looked through by the byte up to this length; for longer ones a native search pays. */
const shortString = 32;

/**
 * One visit of each byte, no allocation but the answer. Bytes rather than characters, because reading them costs a
 * third; all that matters here is ASCII, which never occurs inside longer UTF-8 sequences. The tests are in such an
 * order that commas and letters, of which there are most, take few of them.
 */
export function scanJson(text: Buffer): JsonScan {
  const length = text.length;
  const hasEscapes = text.includes(backslash);
  const escapes = { surrogates: false };
  let lossy = false;
  let keys = 0;
  let level = 0;
  let depth = 0;
  let i = 0;
  while (i < length) {
    const code = text[i++] ?? 0;
    if (code === quoteCode) {
      i = hasEscapes ? behindEscaped(text, i, escapes) : behindPlain(text, i);
      // Most keys have their colon right after them; the others are counted below.
      if (text[i] === colon) {
        keys++;
        i++;
      }
    } else if (code >= openBracket) {
      if (code === openBrace || code === openBracket) {
        if (++level > depth) depth = level;
      } else if (code === closeBrace || code === closeBracket) level--;
    } else if (code >= zero && code <= nine) {
      const start = i;
      let digit = text[i] ?? 0;
      while (digit >= zero && digit <= nine) digit = text[++i] ?? 0;
      if (i - start >= exactDigits - 1 || digit === point || digit === lowerE || digit === upperE) lossy = true;
    } else if (code === colon) keys++;
  }
  return { keys, depth, lossy: lossy || escapes.surrogates };
}

/** Returns the position after the object or list that begins at `start` of valid JSON. Visits each of its bytes. */
export function behindValue(text: Buffer, start: number): number {
  let level = 0;
  for (let i = start; i < text.length; ) {
    const code = text[i++];
    if (code === quoteCode) i = behindEscaped(text, i, noted);
    else if (code === openBrace || code === openBracket) level++;
    else if ((code === closeBrace || code === closeBracket) && --level === 0) return i;
  }
  return text.length;
}

/** Takes what nobody asks about. */
const noted = { surrogates: false };

/** Returns the position after a string's closing quote, from one inside it; for text without escapes. */
function behindPlain(text: Buffer, from: number): number {
  const longFrom = from + shortString;
  for (let i = from; i < longFrom; ) if (text[i++] === quoteCode) return i;
  return text.indexOf(quoteCode, longFrom) + 1;
}

/** Returns the same for text that may have escapes. Notes whether some are escapes of surrogates. */
function behindEscaped(text: Buffer, from: number, seen: { surrogates: boolean }): number {
  for (let i = from; i < text.length; ) {
    const code = text[i++];
    if (code === quoteCode) return i;
    if (code !== backslash) continue;
    if (text[i] === lowerU && isSurrogateEscape(text[i + 1])) seen.surrogates = true;
    i++;
  }
  return text.length;
}

/**
 * Returns whether `\u` is followed by the D of a surrogate's code (`\ud83d`). A few other letters share it, which is
 * harmless.
 */
function isSurrogateEscape(code: number | undefined): boolean {
  return code === lowerD || code === upperD;
}
