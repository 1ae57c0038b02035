/** Reads the tokens of an expression one by one, and collects mistakes. */
import { type Token, tokenize } from './lexer.js';
import type { RawIssue } from './source.js';

/** Ends the parsing after a mistake, if it cannot continue. */
export class Abort {}

export class TokenCursor {
  private readonly found: RawIssue[];
  private readonly tokens: readonly Token[];
  private index = 0;

  constructor(text: string) {
    const { tokens, issues } = tokenize(text);
    this.tokens = tokens;
    this.found = [...issues];
  }

  /** Returns the mistakes so far, mistakes of the lexer first. */
  get issues(): readonly RawIssue[] {
    return this.found;
  }

  /** Returns a token ahead; after the last one, the end token. */
  peek(ahead = 0): Token {
    return this.tokens[Math.min(this.index + ahead, this.tokens.length - 1)] ?? { type: 'end', text: '<EOF>', at: 0 };
  }

  /** Skips a number of tokens. */
  skip(count: number): void {
    this.index += count;
  }

  /** Returns the next token and skips it. */
  advance(): Token {
    const token = this.peek();
    this.index++;
    return token;
  }

  /** Returns whether a sign comes next. */
  is(sign: string): boolean {
    const token = this.peek();
    return token.type === 'symbol' && token.text === sign;
  }

  /** Skips a sign if it comes next. Returns whether it did. */
  take(sign: string): boolean {
    if (!this.is(sign)) return false;
    this.index++;
    return true;
  }

  /** Skips the closing bracket of a list or a map. Ends the parsing if another token comes next. */
  closing(sign: string): void {
    if (this.take(sign)) return;
    this.fail(this.peek(), `mismatched input '${this.peek().text}' expecting {'${sign}', ','}`);
  }

  /**
   * Skips a sign. Reports a mistake and continues if one extra token precedes it, or if `)` is missing at the end of
   * the text.
   */
  expect(sign: string): void {
    if (this.take(sign)) return;
    const token = this.peek();
    const next = this.peek(1);
    if (next.type === 'symbol' && next.text === sign) {
      this.syntax(token, `extraneous input '${token.text}' expecting '${sign}'`);
      this.index += 2;
    } else if (sign === ')' && token.type === 'end') {
      this.syntax(token, `missing '${sign}' at '${token.text}'`);
    } else {
      this.fail(token, `mismatched input '${token.text}' expecting '${sign}'`);
    }
  }

  /** Collects a mistake. Parsing goes on. */
  report(issue: RawIssue): void {
    this.found.push(issue);
  }

  /** Reports a token that the grammar does not allow. */
  syntax(token: Token, message: string): void {
    this.found.push({ at: token.at, message: `Syntax error: ${message}` });
  }

  /** Reports a token that the grammar does not allow, and ends the parsing. */
  fail(token: Token, message: string): never {
    this.syntax(token, message);
    throw new Abort();
  }
}
