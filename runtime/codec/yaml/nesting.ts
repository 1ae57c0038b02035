/** Bounds what a YAML text may ask of the parser, which recurses and is slow, before it gets to see it. */
import { type YamlTokenType, yamlTokens } from './tokens.js';

/** The limits of a text. */
export interface YamlBounds {
  /** Levels of nesting. */
  readonly depth: number;
  /** Words, quoted texts, indicators, line breaks and gaps; a line of a usual manifest has six. */
  readonly tokens: number;
}

/** The limit that a text exceeds. */
export interface YamlExcess {
  readonly problem: string;
  readonly offset: number;
}

/** Follows the tokens of a text; an instance is used once. */
class Nesting {
  private flow = 0;
  /** Columns at which open blocks begin. */
  private readonly indents: number[] = [];
  /** Indicators of the current line that open a block each (`- - a:`). */
  private indicators = 0;
  private column = 0;
  private lineBegins = true;

  /** Levels of nesting after a token; an upper bound, up to twice the real number. */
  after(type: YamlTokenType, length: number): number {
    if (type === 'newline') {
      this.column = 0;
      this.indicators = 0;
      this.lineBegins = true;
    } else if (type === 'space') this.column += length;
    else if (type !== 'comment' && type !== null) this.content(type, length);
    return 2 * this.indents.length + this.indicators + this.flow;
  }

  private content(type: YamlTokenType, length: number): void {
    if (this.lineBegins && this.flow === 0) this.indent();
    this.lineBegins = false;
    if (type === 'flow-map-start' || type === 'flow-seq-start') this.flow++;
    else if (type === 'flow-map-end' || type === 'flow-seq-end') this.flow = Math.max(0, this.flow - 1);
    else if (type === 'seq-item-ind' || type === 'explicit-key-ind' || type === 'map-value-ind') this.indicators++;
    this.column += length;
  }

  private indent(): void {
    while ((this.indents.at(-1) ?? -1) > this.column) this.indents.pop();
    if ((this.indents.at(-1) ?? -1) < this.column) this.indents.push(this.column);
  }
}

/** Where a text first exceeds its bounds; `undefined` where it does not. Linear in time, stops at once. */
export function exceedsBounds(text: string, bounds: YamlBounds): YamlExcess | undefined {
  const nesting = new Nesting();
  let tokens = 0;
  for (const token of yamlTokens(text)) {
    const { offset } = token;
    if (nesting.after(token.type, token.text.length) > bounds.depth) return { problem: 'exceeded max depth', offset };
    if (++tokens > bounds.tokens) return { problem: `document has more than ${bounds.tokens} tokens`, offset };
  }
  return undefined;
}
