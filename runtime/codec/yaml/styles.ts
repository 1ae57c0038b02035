/** Decides how a text is written in YAML: plain, in quotes, or as a block. */
import { resolvePlain } from './scalars.js';

export type YamlStyle = 'plain' | 'single' | 'double' | 'literal';

const base60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;
const timestamp = /^\d{4}-\d\d?-\d\d?(?:[Tt ]\d\d?:\d\d?:\d\d?(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?)?$/;
const unprintable = /[^\n\x20-\x7e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u;

/** The style for a text; keys are written in one line, so they cannot be blocks. */
export function styleOf(text: string, isKey: boolean): YamlStyle {
  if (text.includes('\n')) return !isKey && blockAllowed(text) ? 'literal' : 'double';
  if (resolvePlain(text) !== text || text === '<<' || base60.test(text) || timestamp.test(text)) return 'double';
  if (unprintable.test(text)) return 'double';
  return plainAllowed(text) ? 'plain' : 'single';
}

/** A block cannot hold blanks at the end of a line, nor what must be escaped. */
function blockAllowed(text: string): boolean {
  return !/ \n| $/.test(text) && !unprintable.test(text);
}

/** Whether a text in one line can do without quotes in block context. */
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

/** One character as it stands between double quotes. */
export function escapeYaml(char: string): string {
  const named = escapes[char];
  if (named !== undefined) return named;
  if (!unprintable.test(char)) return char;
  const code = char.codePointAt(0) ?? 0;
  const hex = (digits: number): string => code.toString(16).toUpperCase().padStart(digits, '0');
  if (code <= 0xff) return `\\x${hex(2)}`;
  return code <= 0xffff ? `\\u${hex(4)}` : `\\U${hex(8)}`;
}

/** The hints behind the bar of a block: an indentation where the text begins with a blank, and how its end is kept. */
export function blockHints(text: string): string {
  const indent = /^[ \n]/.test(text) ? '2' : '';
  if (!text.endsWith('\n')) return `${indent}-`;
  return text === '\n' || text.endsWith('\n\n') ? `${indent}+` : indent;
}

/** Order of keys: by letters, where digits count as the numbers they make (`a2` before `a10`). */
export function compareKeys(a: string, b: string): number {
  const left = [...a];
  const right = [...b];
  for (let i = 0; i < left.length && i < right.length; i++) {
    const x = left[i] ?? '';
    const y = right[i] ?? '';
    if (x === y) continue;
    const xLetter = /\p{L}/u.test(x);
    const yLetter = /\p{L}/u.test(y);
    if (xLetter !== yLetter) return yLetter ? -1 : 1;
    const byNumber = xLetter ? 0 : compareNumbers(left, right, i);
    return byNumber !== 0 ? byNumber : (x.codePointAt(0) ?? 0) - (y.codePointAt(0) ?? 0);
  }
  return left.length - right.length;
}

function compareNumbers(left: readonly string[], right: readonly string[], at: number): number {
  // Behind a digit that is not zero, zeros are part of its number and count.
  const before = left.slice(0, at).join('').match(/\d+$/)?.[0] ?? '';
  const counts = (left[at] === '0' || right[at] === '0') && /[1-9]/.test(before);
  const x = left.slice(at).join('').match(/^\d+/)?.[0] ?? '';
  const y = right.slice(at).join('').match(/^\d+/)?.[0] ?? '';
  const prefix = counts ? '1' : '';
  const difference = BigInt(`0${prefix}${x}`) - BigInt(`0${prefix}${y}`);
  return difference !== 0n ? (difference < 0n ? -1 : 1) : x.length - y.length;
}
