/** Reads the literals of the language: numbers, texts and bytes. */
import type { Literal } from './ast.js';

/** A literal, or its mistake. */
export type ReadLiteral = { readonly literal: Literal } | { readonly error: string };

const minInt = -(2n ** 63n);
const maxInt = 2n ** 63n - 1n;
const maxUint = 2n ** 64n - 1n;

/** The longest number to read. Longer ones are out of range, and reading them takes quadratic time. */
const maxDigits = 400;

/** Reads a whole number, as in `12`, `-0x1F` or, with a final `u`, `12u`. */
export function readInteger(text: string): ReadLiteral {
  const unsigned = /[uU]$/.test(text);
  const error = `invalid ${unsigned ? 'uint' : 'int'} literal`;
  const negative = text.startsWith('-');
  const digits = text.slice(negative ? 1 : 0, unsigned ? -1 : undefined);
  if (digits.length > maxDigits) return { error };
  const value = BigInt(digits) * (negative ? -1n : 1n);
  if (unsigned) return value > maxUint || negative ? { error } : { literal: { type: 'uint', value } };
  return value < minInt || value > maxInt ? { error } : { literal: { type: 'int', value } };
}

/** Reads a number with a fraction or an exponent. */
export function readDouble(text: string): ReadLiteral {
  const value = Number(text);
  return Number.isFinite(value) ? { literal: { type: 'double', value } } : { error: 'invalid double literal' };
}

const simpleEscapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** The number of hexadecimal digits after each escape. */
const hexLengths: Readonly<Record<string, number>> = { x: 2, X: 2, u: 4, U: 8 };

/** Reads a quoted text or, with `b` before it, bytes. The lexer has checked that its escapes are complete. */
export function readQuoted(token: string): ReadLiteral {
  const prefix = /^[rRbB]*/.exec(token)?.[0] ?? '';
  const quoted = token.slice(prefix.length);
  const width = /^('''|""")/.test(quoted) ? 3 : 1;
  const inner = quoted.slice(width, -width).replaceAll('\r\n', '\n').replaceAll('\r', '\n');
  const raw = /r/i.test(prefix);
  if (/b/i.test(prefix)) return readBytes(inner, raw);
  if (raw) return { literal: { type: 'string', value: inner } };
  const value = unescapeText(inner);
  if (value === undefined) return { error: 'invalid unicode code point' };
  return { literal: { type: 'string', value } };
}

function unescapeText(text: string): string | undefined {
  let out = '';
  for (const piece of pieces(text)) {
    if (piece.code === undefined) out += piece.text;
    else if (piece.code > 0x10ffff || (piece.code >= 0xd800 && piece.code <= 0xdfff)) return undefined;
    else out += String.fromCodePoint(piece.code);
  }
  return out;
}

/** Reads bytes. In them, `\x` and octal escapes are single bytes; `\u` and `\U` are not allowed. */
function readBytes(text: string, raw: boolean): ReadLiteral {
  const encoder = new TextEncoder();
  if (raw) return { literal: { type: 'bytes', value: encoder.encode(text) } };
  const parts: number[] = [];
  for (const piece of pieces(text)) {
    if (piece.unicode) return { error: 'unable to unescape string' };
    if (piece.code === undefined) parts.push(...encoder.encode(piece.text));
    else if (piece.code > 255) return { error: 'unable to unescape string' };
    else parts.push(piece.code);
  }
  return { literal: { type: 'bytes', value: Uint8Array.from(parts) } };
}

interface Piece {
  readonly text: string;
  /** The number in a numeric escape. */
  readonly code?: number;
  readonly unicode?: boolean;
}

function* pieces(text: string): Generator<Piece> {
  for (let i = 0; i < text.length; ) {
    if (text[i] !== '\\') {
      const char = String.fromCodePoint(text.codePointAt(i) ?? 0);
      yield { text: char };
      i += char.length;
      continue;
    }
    const letter = text[i + 1] ?? '';
    const length = hexLengths[letter];
    if (length !== undefined) {
      yield { text: '', code: Number.parseInt(text.slice(i + 2, i + 2 + length), 16), unicode: /[uU]/.test(letter) };
      i += 2 + length;
    } else if (/[0-3]/.test(letter)) {
      yield { text: '', code: Number.parseInt(text.slice(i + 1, i + 4), 8) };
      i += 4;
    } else {
      yield { text: simpleEscapes[letter] ?? letter };
      i += 2;
    }
  }
}
