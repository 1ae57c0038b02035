/** Chooses the style of a text in YAML: plain, in quotes, or as a block. */
import { resolvePlain } from './scalars.js';

export type YamlStyle = 'plain' | 'single' | 'double' | 'literal';

const base60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;
const timestamp = /^\d{4}-\d\d?-\d\d?(?:[Tt ]\d\d?:\d\d?:\d\d?(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?)?$/;
const unprintable = /[^\n\x20-\x7e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u;

/** Returns the style for a text. Keys must be in one line, so they cannot be blocks. */
export function styleOf(text: string, isKey: boolean): YamlStyle {
  if (text.includes('\n')) return !isKey && blockAllowed(text) ? 'literal' : 'double';
  if (resolvePlain(text) !== text || text === '<<' || base60.test(text) || timestamp.test(text)) return 'double';
  if (unprintable.test(text)) return 'double';
  return plainAllowed(text) ? 'plain' : 'single';
}

/** Returns whether a block can hold a text: it has no blanks at the end of a line and needs no escapes. */
function blockAllowed(text: string): boolean {
  return !/ \n| $/.test(text) && !unprintable.test(text);
}

/** Returns whether a text in one line needs no quotes in block context. */
function plainAllowed(text: string): boolean {
  if (/^(?:---|\.\.\.)/.test(text)) return false;
  if (/^[#,[\]{}&*!|>'"%@`]/.test(text)) return false;
  if (/^[-?:](?:\s|$)/.test(text)) return false;
  return !/^\s|\s$|:(?:\s|$)|\s#/.test(text);
}

const escapes: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\x1b': '\\e',
  '"': '\\"',
  '\\': '\\\\',
  '\x85': '\\N',
  '\u2028': '\\L',
  '\u2029': '\\P',
};

/** Escapes one character for double quotes. */
export function escapeYaml(char: string): string {
  const named = escapes[char];
  if (named !== undefined) return named;
  if (!unprintable.test(char)) return char;
  const code = char.codePointAt(0) ?? 0;
  const hex = (digits: number): string => code.toString(16).toUpperCase().padStart(digits, '0');
  if (code <= 0xff) return `\\x${hex(2)}`;
  return code <= 0xffff ? `\\u${hex(4)}` : `\\U${hex(8)}`;
}

/**
 * Returns the hints after the bar of a block: the indentation if the text begins with a blank or a line break, and how
 * to keep the end of the text.
 */
export function blockHints(text: string): string {
  const indent = /^[ \n]/.test(text) ? '2' : '';
  if (!text.endsWith('\n')) return `${indent}-`;
  return text === '\n' || text.endsWith('\n\n') ? `${indent}+` : indent;
}

/** Compares keys. Digits count as numbers (`a2` before `a10`). Copies only digits. */
export function compareKeys(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  let at = 0;
  while (at < shorter && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  // Both halves of a pair of surrogates count as one character.
  if (at > 0 && isLowSurrogate(a.charCodeAt(at)) && isLowSurrogate(b.charCodeAt(at))) at--;
  if (at >= shorter) return a.length - b.length;
  const x = a.codePointAt(at) ?? 0;
  const y = b.codePointAt(at) ?? 0;
  const isLetter = letter.test(String.fromCodePoint(x));
  if (isLetter !== letter.test(String.fromCodePoint(y))) return isLetter ? 1 : -1;
  return (isLetter ? 0 : compareNumbers(a, b, at)) || x - y;
}

const letter = /\p{L}/u;

const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** Compares the numbers at a position. */
function compareNumbers(a: string, b: string, at: number): number {
  // Zeros count after a digit other than zero.
  const counts = (a[at] === '0' || b[at] === '0') && isInNumber(a, at);
  const [xEnd, yEnd] = [endOfDigits(a, at), endOfDigits(b, at)];
  const x = a.slice(counts ? at : endOfZeros(a, at), xEnd);
  const y = b.slice(counts ? at : endOfZeros(b, at), yEnd);
  if (x.length !== y.length) return x.length - y.length;
  return x === y ? xEnd - yEnd : x < y ? -1 : 1;
}

/** Returns whether the digits right before a position include one other than zero. */
function isInNumber(text: string, at: number): boolean {
  let from = at;
  while (from > 0 && isDigit(text.charCodeAt(from - 1))) {
    from--;
    if (text[from] !== '0') return true;
  }
  return false;
}

function endOfDigits(text: string, at: number): number {
  let end = at;
  while (isDigit(text.charCodeAt(end))) end++;
  return end;
}

function endOfZeros(text: string, at: number): number {
  let end = at;
  while (text[end] === '0') end++;
  return end;
}
