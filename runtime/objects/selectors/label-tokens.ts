/** Splits the text of a label selector into tokens. */

export type TokenKind = 'end' | 'identifier' | ')' | ',' | '!' | '==' | '=' | '>' | '<' | '!=' | '(' | 'in' | 'notin';

export interface Token {
  readonly kind: TokenKind;
  /** The text as written; empty at the end. */
  readonly text: string;
}

const special = new Set('=!(),><');
const blank = new Set(' \t\r\n');
const symbols: ReadonlySet<string> = new Set([')', ',', '!', '==', '=', '>', '<', '!=', '(']);
const end: Token = { kind: 'end', text: '' };

/** All tokens of a text, the last of which is `end`. A NUL ends the text as a whole. Linear in its length. */
export function tokenize(text: string): readonly Token[] {
  const source = text.split('\0', 1)[0] ?? '';
  const tokens: Token[] = [];
  let at = 0;
  while (at < source.length) {
    const char = source.charAt(at);
    if (blank.has(char)) at++;
    else {
      const token = special.has(char) ? symbolAt(source, at) : wordAt(source, at);
      tokens.push(token);
      at += token.text.length;
    }
  }
  tokens.push(end);
  return tokens;
}

function symbolAt(source: string, at: number): Token {
  const two = source.slice(at, at + 2);
  const text = symbols.has(two) ? two : source.charAt(at);
  return { kind: toKind(text), text };
}

function wordAt(source: string, at: number): Token {
  let stop = at + 1;
  while (stop < source.length && !special.has(source.charAt(stop)) && !blank.has(source.charAt(stop))) stop++;
  const text = source.slice(at, stop);
  return { kind: toKind(text), text };
}

function toKind(text: string): TokenKind {
  switch (text) {
    case ')':
    case ',':
    case '!':
    case '==':
    case '=':
    case '>':
    case '<':
    case '!=':
    case '(':
    case 'in':
    case 'notin':
      return text;
    default:
      return 'identifier';
  }
}
