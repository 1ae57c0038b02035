/** Scans a YAML text by the lexical rules of API servers, to find parts that the parser reads differently. */
import type { FirstDocument } from './first-document.js';

/** The limits of a text. */
export interface YamlBounds {
  /** Levels of nesting. */
  readonly depth: number;
  /** The number of texts, indicators and blocks. A line of a usual manifest has three. */
  readonly tokens: number;
}

/** The findings of a scan. */
export interface YamlScan {
  /** The limit that the text exceeds. */
  readonly excess: string | undefined;
  /** The end of a tag without a blank after it, which the parser accepts. */
  readonly openTag: number | undefined;
  /**
   * The text in the same length, with masks for the parts that the parser reads wrongly. In brackets and quotes these
   * are line breaks before lines that begin further left than the enclosing block. In brackets they are also colons at
   * the end of a text, as in `[fd00::]`, and a dash that is a whole text. Everywhere they are tabs between words,
   * comments right after a bracket or quote, and commas and brackets in tags. The indentation hint of a root block is
   * adapted to the parser.
   */
  readonly masked: string;
}

/** Scans a document in linear time. Stops at the bounds. */
export function scanYaml(document: FirstDocument, bounds: YamlBounds): YamlScan {
  return new Scanner(document, bounds).run();
}

const end = '';
const isBlank = (char: string): boolean => char === ' ' || char === '\t';
const isBreak = (char: string): boolean => char === '\n' || char === '\r';
const isSpace = (char: string): boolean => char === end || isBlank(char) || isBreak(char);
const isBracketOrComma = (char: string): boolean => char !== end && '[]{},'.includes(char);
const header = /[-+0-9]*[ \t]*(?:#[^\r\n]*)?/y;
const property = /[^\s,[\]{}]*/y;
const tag = /[\w;/?:@&=+$,.!~*'()[\]%<>-]*/y;

class Scanner {
  private position: number;
  private lineStart: number;
  private tokens = 0;
  /** The columns of open blocks. */
  private readonly indents: number[] = [];
  /** The number of open brackets. */
  private flow = 0;
  /** The column where a key may have begun in this line. */
  private keyColumn: number | undefined;
  private openTag: number | undefined;
  private masked = '';
  private copied = 0;

  private readonly text: string;

  constructor(
    { text, start }: FirstDocument,
    private readonly bounds: YamlBounds,
  ) {
    this.text = text;
    this.position = start;
    this.lineStart = Math.max(0, start - 3);
  }

  run(): YamlScan {
    this.gap();
    while (this.position < this.text.length && this.excess() === undefined) {
      const column = this.position - this.lineStart;
      if (this.flow === 0) while (this.indent() > column) this.indents.pop();
      this.tokens++;
      this.token(column);
      this.gap();
    }
    return { excess: this.excess(), openTag: this.openTag, masked: this.masked + this.text.slice(this.copied) };
  }

  private excess(): string | undefined {
    const { depth, tokens } = this.bounds;
    if (this.indents.length + this.flow > depth) return 'exceeded max depth';
    return this.tokens > tokens ? `document has more than ${tokens} tokens` : undefined;
  }

  private token(column: number): void {
    const char = this.text.charAt(this.position);
    const blankFollows = isSpace(this.text.charAt(this.position + 1));
    if (this.flow === 0 && blankFollows && (char === '-' || char === '?')) this.entry(column);
    else if (char === ':' && (this.flow > 0 || blankFollows)) this.colon(column);
    else if (this.flow > 0 && isBracketOrComma(char)) this.bracket(char);
    else {
      this.keyColumn ??= column;
      if (char === '[' || char === '{') this.bracket(char);
      else if (char === '"' || char === "'") this.quoted(char);
      else if (this.flow === 0 && (char === '|' || char === '>')) this.block();
      else if (char === '!') this.tag();
      else if (char === '&' || char === '*') this.position = this.match(property, this.position + 1);
      else this.plain();
    }
  }

  private entry(column: number): void {
    this.open(column);
    this.keyColumn = undefined;
    this.position++;
  }

  private colon(column: number): void {
    if (this.flow === 0) this.open(this.keyColumn ?? column);
    this.position++;
  }

  /** Scans a tag. In API servers, commas and brackets are part of it, and a blank must come after it. */
  private tag(): void {
    const start = this.position;
    this.position = this.match(tag, start + 1);
    for (let at = start; at < this.position; at++) {
      if (isBracketOrComma(this.text.charAt(at))) this.mask(at, at + 1, 'x');
    }
    if (!isSpace(this.text.charAt(this.position))) this.openTag ??= this.position;
  }

  private bracket(char: string): void {
    if (char === '[' || char === '{') this.flow++;
    else if (char !== ',') this.flow = Math.max(0, this.flow - 1);
    this.position++;
  }

  private open(column: number): void {
    if (this.indent() < column) this.indents.push(column);
  }

  private indent(): number {
    return this.indents.at(-1) ?? -1;
  }

  /** Skips blanks, line breaks and comments. */
  private gap(): void {
    const start = this.position;
    for (;;) {
      const char = this.text.charAt(this.position);
      if (char === '#') this.comment();
      else if (char !== end && isSpace(char)) this.space(char);
      else break;
    }
    if (this.lineStart <= start) this.maskTabs(start);
    else if (this.flow > 0) this.maskGap(start);
    else this.keyColumn = undefined;
  }

  private comment(): void {
    const start = this.position;
    while (this.position < this.text.length && !isBreak(this.text.charAt(this.position))) this.position++;
    if (start > 0 && !isSpace(this.text.charAt(start - 1))) this.mask(start, this.position, ' ');
  }

  private space(char: string): void {
    this.position++;
    if (isBreak(char)) this.lineStart = this.position;
  }

  /** Masks a gap in brackets or quotes if the next line begins further left than the parser allows. */
  private maskGap(start: number): void {
    let spaces = this.lineStart;
    while (this.text.charAt(spaces) === ' ') spaces++;
    if (spaces - this.lineStart <= this.indent()) this.mask(start, this.position, ' ');
  }

  /** Masks tabs between words. Before a bracket, the parser would read them as indentation. */
  private maskTabs(start: number): void {
    if (start > this.lineStart && this.text.slice(start, this.position).includes('\t'))
      this.mask(start, this.position, ' ');
  }

  /** Masks a part of the text, except what is already masked. */
  private mask(from: number, to: number, char: string): void {
    const start = Math.max(from, this.copied);
    this.masked += this.text.slice(this.copied, start) + char.repeat(to - start);
    this.copied = to;
  }

  private quoted(quote: string): void {
    this.position++;
    for (let char = quote; char !== end; ) {
      char = this.text.charAt(this.position);
      if (isBreak(char)) this.foldedBreak();
      else if (char === quote && (quote === '"' || this.text.charAt(this.position + 1) !== quote)) break;
      // A backslash, or the first of two quotes, includes the next character.
      else if (char === quote || (char === '\\' && quote === '"')) this.position += this.escapeLength();
      else this.position++;
    }
    this.position++;
  }

  /** Returns the length of an escape: two characters, unless the second is a line break. */
  private escapeLength(): number {
    return isBreak(this.text.charAt(this.position + 1)) ? 1 : 2;
  }

  private foldedBreak(): void {
    const start = this.position;
    for (let char = this.text.charAt(start); char !== end && isSpace(char); char = this.text.charAt(this.position)) {
      this.space(char);
    }
    this.maskGap(start);
  }

  /** Scans a text without quotes. It continues in lines with more indentation than its parent. */
  private plain(): void {
    if (this.flow > 0 && this.text.charAt(this.position) === '-') {
      if (isBracketOrComma(this.text.charAt(this.position + 1))) this.mask(this.position, this.position + 1, 'x');
    }
    this.position = this.plainEnd(this.position);
    while (isBreak(this.text.charAt(this.position))) {
      const { position, lineStart } = this;
      let char = this.text.charAt(position);
      for (; char !== end && isSpace(char); char = this.text.charAt(this.position)) this.space(char);
      const goesOn = this.flow > 0 || this.position - this.lineStart > this.indent();
      const next = goesOn && char !== '#' ? this.plainEnd(this.position) : this.position;
      if (next === this.position) {
        this.position = position;
        this.lineStart = lineStart;
        return;
      }
      if (this.flow > 0) this.maskGap(position);
      this.position = next;
    }
  }

  /** Returns the end of a text without quotes in its line. Masks a colon at its end. */
  private plainEnd(start: number): number {
    for (let i = start; ; i++) {
      const char = this.text.charAt(i);
      if (char === end || isBreak(char)) return i;
      if (char === ':' && isSpace(this.text.charAt(i + 1))) return i;
      if (char === '#' && i > start && isBlank(this.text.charAt(i - 1))) return i;
      if (this.flow > 0 && isBracketOrComma(char)) {
        if (i > start && this.text.charAt(i - 1) === ':') this.mask(i - 1, i, 'x');
        return i;
      }
    }
  }

  /** Scans a text after `|` or `>`, up to the first line with too little indentation. */
  private block(): void {
    const hints = this.match(header, this.position + 1);
    const digit = /^.[-+]?([1-9])/.exec(this.text.slice(this.position, hints));
    let indent = digit === null ? -1 : Math.max(this.indent(), 0) + Number(digit[1]);
    // The parser counts the indentation of a root block from one column further to the left.
    if (digit !== null && this.indent() < 0)
      this.mask(this.position + digit[0].length - 1, this.position + digit[0].length, String(indent + 1));
    this.position = hints;
    while (isBreak(this.text.charAt(this.position))) {
      const lineStart = this.position + (this.text.startsWith('\r\n', this.position) ? 2 : 1);
      let at = lineStart;
      while (this.text.charAt(at) === ' ') at++;
      const char = this.text.charAt(at);
      if (!isBreak(char) && char !== end) {
        if (indent < 0) indent = Math.max(at - lineStart, this.indent() + 1, 1);
        if (at - lineStart < indent) return;
        while (at < this.text.length && !isBreak(this.text.charAt(at))) at++;
      }
      this.lineStart = lineStart;
      this.position = at;
    }
  }

  private match(expression: RegExp, from: number): number {
    expression.lastIndex = from;
    return from + (expression.exec(this.text)?.[0].length ?? 0);
  }
}
