/** Reads the text form of a label selector, with the messages that clients know. */
import type { Result } from '../../contract/index.js';
import { badRequest } from '../failures.js';
import { withLaterWords } from '../later-words.js';
import { type LabelOperator, type LabelRequirement, labelKeyError, labelRequirement } from './label-requirements.js';

/** Only this file throws it, to leave the recursion; the exported function catches it and returns a failure. */
class SyntaxProblem extends Error {}

const operators: ReadonlyMap<TokenKind, LabelOperator> = new Map<TokenKind, LabelOperator>([
  ['in', 'In'],
  ['notin', 'NotIn'],
  ['=', 'Equals'],
  ['==', 'Equals'],
  ['!=', 'NotEquals'],
  ['>', 'Gt'],
  ['<', 'Lt'],
]);

/** Returns the conditions of a selector such as `a=b,c!=d,e in (x,y),!f,g>1`, in their order. */
export function parseLabelRequirements(text: string): Result<readonly LabelRequirement[]> {
  try {
    return { ok: true, value: new Parser(tokenize(text)).selector() };
  } catch (problem) {
    if (problem instanceof SyntaxProblem) return { ok: false, failure: withLaterWords(badRequest(problem.message)) };
    throw problem;
  }
}

class Parser {
  private at = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  selector(): readonly LabelRequirement[] {
    const found: LabelRequirement[] = [];
    for (;;) {
      const token = this.peek();
      if (token.kind === 'end') return found;
      if (token.kind !== 'identifier' && token.kind !== '!') this.fail(token, "!, identifier, or 'end of string'");
      found.push(this.requirement());
      const next = this.take();
      if (next.kind === 'end') return found;
      if (next.kind !== ',') this.fail(next, "',' or 'end of string'");
      const after = this.peek();
      if (after.kind !== 'identifier' && after.kind !== '!') this.fail(after, "identifier after ','");
    }
  }

  private requirement(): LabelRequirement {
    try {
      return this.unprefixedRequirement();
    } catch (problem) {
      if (problem instanceof SyntaxProblem) problem.message = `unable to parse requirement: ${problem.message}`;
      throw problem;
    }
  }

  private unprefixedRequirement(): LabelRequirement {
    const negated = this.peek().kind === '!';
    if (negated) this.take();
    const key = this.take();
    if (key.kind !== 'identifier') this.fail(key, 'identifier');
    const problem = labelKeyError(key.text);
    if (problem !== undefined) throw new SyntaxProblem(problem);
    const next = this.peek().kind;
    if (negated) return build(key.text, 'DoesNotExist', []);
    if (next === 'end' || next === ',') return build(key.text, 'Exists', []);
    const operator = this.operator();
    const values = operator === 'In' || operator === 'NotIn' ? this.list() : [this.value()];
    return build(key.text, operator, values);
  }

  private operator(): LabelOperator {
    const token = this.takeOperator();
    return operators.get(token.kind) ?? this.fail(token, 'in, notin, =, ==, !=, gt, lt');
  }

  private value(): string {
    const kind = this.peek().kind;
    if (kind === 'end' || kind === ',') return '';
    const token = this.take();
    return token.kind === 'identifier' ? token.text : this.fail(token, 'identifier');
  }

  private list(): readonly string[] {
    const open = this.take();
    if (open.kind !== '(') throw new SyntaxProblem(`found '${open.text}' expected: '('`);
    const next = this.peek();
    if (next.kind !== ')' && next.kind !== 'identifier' && next.kind !== ',') this.fail(next, "',', ')' or identifier");
    const values = next.kind === ')' ? [''] : this.listItems();
    this.take();
    return values;
  }

  /** Reads the values, but not the closing parenthesis. Nothing before, between or after commas is the empty value. */
  private listItems(): readonly string[] {
    const values: string[] = [];
    for (;;) {
      const token = this.take();
      if (token.kind === 'identifier') {
        values.push(token.text);
        const next = this.peek();
        if (next.kind === ')') return values;
        if (next.kind !== ',') this.fail(next, "',' or ')'");
      } else if (token.kind === ',') {
        if (values.length === 0) values.push('');
        const next = this.peek();
        if (next.kind === ')' || next.kind === ',') values.push('');
        if (next.kind === ')') return values;
        if (next.kind === ',') this.take();
      } else this.fail(token, "',', or identifier");
    }
  }

  /** Returns the next token. `in` and `notin` are keys or values, except in the place of an operator. */
  private peek(): Token {
    return asValue(this.current());
  }

  private take(): Token {
    return asValue(this.takeOperator());
  }

  private takeOperator(): Token {
    const token = this.current();
    this.at++;
    return token;
  }

  private current(): Token {
    return this.tokens[this.at] ?? { kind: 'end', text: '' };
  }

  private fail(found: Token, expected: string): never {
    throw new SyntaxProblem(`found '${found.text}', expected: ${expected}`);
  }
}

function asValue(token: Token): Token {
  return token.kind === 'in' || token.kind === 'notin' ? { kind: 'identifier', text: token.text } : token;
}

function build(key: string, operator: LabelOperator, values: readonly string[]): LabelRequirement {
  const made = labelRequirement(key, operator, values);
  if (!made.ok) throw new SyntaxProblem(made.failure.message);
  return made.value;
}

type TokenKind = 'end' | 'identifier' | ')' | ',' | '!' | '==' | '=' | '>' | '<' | '!=' | '(' | 'in' | 'notin';

interface Token {
  readonly kind: TokenKind;
  /** The text as written; empty at the end. */
  readonly text: string;
}

const special = new Set('=!(),><');
const blank = new Set(' \t\r\n');
const symbols: ReadonlySet<string> = new Set([')', ',', '!', '==', '=', '>', '<', '!=', '(']);
const end: Token = { kind: 'end', text: '' };

/** Returns the tokens of a text; the last one is `end`. A NUL ends the text. Takes linear time. */
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
