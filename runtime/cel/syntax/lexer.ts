/** Splits an expression into tokens. */
import { withoutTrailing } from '../../objects/scan/numbers.js';
import type { RawIssue } from './source.js';

export type TokenType = 'ident' | 'escaped' | 'int' | 'uint' | 'double' | 'string' | 'bytes' | 'symbol' | 'end';

export interface Token {
  readonly type: TokenType;
  readonly text: string;
  readonly at: number;
}

export interface Tokens {
  readonly tokens: readonly Token[];
  readonly issues: readonly RawIssue[];
}

/** Returns whether a token is a number without a sign. */
export function isNumber({ type }: Token): boolean {
  return type === 'int' || type === 'double' || type === 'uint';
}

/** Words that are symbols of the grammar rather than names. */
const words = new Set(['true', 'false', 'null', 'in']);

const space = /(?:[\t\r\n\f ]|\/\/[^\n]*)+/y;
const number = /(0x[0-9a-fA-F]+|\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?|\d+)/y;
const name = /[A-Za-z_][A-Za-z0-9_]*/y;
const escapedName = /`[A-Za-z0-9_.\-/ ]+`/y;
const quote = /([rR]?[bB]?|[bB][rR])('''|"""|'|")/y;
const symbol = /&&|\|\||==|!=|<=|>=|[-+*/%!?:.,()[\]{}<>]/y;
const escapeSequence = /\\(?:[abfnrtv"'\\?`]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2})/y;

/** Returns all tokens; the last one is `end`. Reports and skips other text. */
export function tokenize(text: string): Tokens {
  const tokens: Token[] = [];
  const issues: RawIssue[] = [];
  let at = 0;
  while (true) {
    at += match(space, text, at)?.length ?? 0;
    if (at >= text.length) break;
    const found = next(text, at);
    if (found.token === undefined) {
      const wrong = text.slice(at, found.end);
      issues.push({ at, message: `Syntax error: token recognition error at: '${wrong}'` });
    } else {
      tokens.push(found.token);
    }
    at = found.end;
  }
  tokens.push({ type: 'end', text: '<EOF>', at: text.length });
  return { tokens, issues };
}

interface Found {
  readonly token?: Token;
  readonly end: number;
}

function next(text: string, at: number): Found {
  const opening = match(quote, text, at);
  if (opening !== undefined) return quotedToken(text, at, opening);
  const digits = match(number, text, at);
  if (digits !== undefined) return numberToken(text, at, digits);
  const word = match(name, text, at);
  if (word !== undefined) return made(words.has(word) ? 'symbol' : 'ident', word, at);
  const escaped = match(escapedName, text, at);
  if (escaped !== undefined) return made('escaped', escaped, at);
  const sign = match(symbol, text, at);
  if (sign !== undefined) return made('symbol', sign, at);
  return { end: wrongEnd(text, at) };
}

/** Returns the end of an invalid token. Half of an operator, such as `&`, includes the character after it. */
function wrongEnd(text: string, at: number): number {
  const width = /[=&|`]/.test(text.charAt(at)) ? 1 : 0;
  const first = String.fromCodePoint(text.codePointAt(at) ?? 0).length;
  const second = width === 1 && at + 1 < text.length ? String.fromCodePoint(text.codePointAt(at + 1) ?? 0).length : 0;
  return at + first + second;
}

function made(type: TokenType, text: string, at: number): Found {
  return { token: { type, text, at }, end: at + text.length };
}

function numberToken(text: string, at: number, digits: string): Found {
  if (/^(?:0x|\d+$)/.test(digits)) {
    const suffix = /[uU]/.test(text.charAt(at + digits.length)) ? text.charAt(at + digits.length) : '';
    return made(suffix === '' ? 'int' : 'uint', digits + suffix, at);
  }
  return made('double', digits, at);
}

function quotedToken(text: string, at: number, opening: string): Found {
  const prefix = withoutTrailing(opening, `'"`);
  const close = opening.slice(prefix.length);
  const raw = /r/i.test(prefix);
  const type = /b/i.test(prefix) ? 'bytes' : 'string';
  let i = at + opening.length;
  while (i < text.length) {
    if (text.startsWith(close, i)) return made(type, text.slice(at, i + close.length), at);
    const char = text.charAt(i);
    if (char === '\\' && !raw) {
      const length = match(escapeSequence, text, i)?.length;
      if (length === undefined) return { end: Math.min(text.length, i + 2) };
      i += length;
    } else if (char === '\n' && close.length === 1) {
      return { end: i + 1 };
    } else {
      i++;
    }
  }
  return { end: text.length };
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
