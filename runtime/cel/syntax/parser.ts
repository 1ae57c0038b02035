/** Parses an expression into its syntax tree: recursive descent with bounded depth, macros expanded on the way. */
import type { Call, Expr, MapEntry, MessageField } from './ast.js';
import { type Token, tokenize } from './lexer.js';
import { type ReadLiteral, readDouble, readInteger, readQuoted } from './literals.js';
import { expandMacro, type MacroSet } from './macros.js';
import type { RawIssue } from './source.js';

/** What the grammar allows, and how much of it. */
export interface ParserOptions {
  readonly macros: MacroSet;
  /** `a.?b`, `a[?b]`, `[?a]`, `{?a: b}`. */
  readonly optionalSyntax: boolean;
  /** Field names in backquotes. */
  readonly escapedNames: boolean;
  /** How deep expressions may nest, operators of one chain included. 250 where absent. */
  readonly maxDepth?: number;
  /** The longest expression, in UTF-16 units. 100,000 where absent. */
  readonly maxLength?: number;
}

export type Parsed =
  | { readonly ok: true; readonly expr: Expr }
  | { readonly ok: false; readonly issues: readonly RawIssue[] };

/** Parses a text; all mistakes that do not follow from another one are reported. */
export function parse(text: string, options: ParserOptions): Parsed {
  const limit = options.maxLength ?? 100_000;
  if (text.length > limit) {
    const message = `expression code point size exceeds limit: size: ${text.length}, limit ${limit}`;
    return { ok: false, issues: [{ at: -1, message }] };
  }
  return new Parser(text, options).run();
}

const reserved = new Set(
  'as break const continue else for function if import let loop package namespace return var void while'.split(' '),
);

const relations = new Set(['==', '!=', '<', '<=', '>', '>=', 'in']);
const factors = new Set(['*', '/', '%']);
const terms = new Set(['+', '-']);

const primaryStart = `{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}`;

/** Ends the parsing after a mistake from which there is no way on. */
class Abort {}

class Parser {
  private readonly tokens: readonly Token[];
  private readonly issues: RawIssue[];
  private readonly depths = new Map<Expr, number>();
  private readonly maxDepth: number;
  private index = 0;
  private nesting = 0;

  constructor(
    text: string,
    private readonly options: ParserOptions,
  ) {
    const { tokens, issues } = tokenize(text);
    this.tokens = tokens;
    this.issues = [...issues];
    this.maxDepth = options.maxDepth ?? 250;
  }

  run(): Parsed {
    try {
      const expr = this.expression();
      this.end();
      if (this.issues.length === 0) return { ok: true, expr };
    } catch (error) {
      if (!(error instanceof Abort)) throw error;
    }
    return { ok: false, issues: this.issues };
  }

  private end(): void {
    if (this.peek().type === 'end') return;
    const extraneous = this.peek(1).type === 'end';
    this.syntax(this.peek(), `${extraneous ? 'extraneous' : 'mismatched'} input '${this.peek().text}' expecting <EOF>`);
  }

  private expression(): Expr {
    if (++this.nesting > this.maxDepth) this.tooDeep();
    const condition = this.logical('||', '_||_', () => this.logical('&&', '_&&_', () => this.relation()));
    const question = this.peek();
    if (!this.take('?')) {
      this.nesting--;
      return condition;
    }
    const yes = this.logical('||', '_||_', () => this.logical('&&', '_&&_', () => this.relation()));
    this.expect(':');
    const no = this.expression();
    this.nesting--;
    return this.call(question.at, '_?_:_', [condition, yes, no]);
  }

  /** Chains of one logical operator become a balanced tree: they may be long. */
  private logical(sign: string, name: string, operand: () => Expr): Expr {
    const operands = [operand()];
    const places: number[] = [];
    while (this.is(sign)) {
      places.push(this.advance().at);
      operands.push(operand());
    }
    return this.balanced(name, operands, places, 0, places.length - 1);
  }

  private balanced(
    name: string,
    operands: readonly Expr[],
    places: readonly number[],
    low: number,
    high: number,
  ): Expr {
    const first = operands[low];
    if (first === undefined) throw new Abort();
    if (low > high) return first;
    const middle = (low + high + 1) >> 1;
    const left = this.balanced(name, operands, places, low, middle - 1);
    const right = this.balanced(name, operands, places, middle + 1, high);
    return this.call(places[middle] ?? 0, name, [left, right]);
  }

  private relation(): Expr {
    let left = this.sum();
    while (this.peek().type === 'symbol' && relations.has(this.peek().text)) {
      const sign = this.advance();
      const name = sign.text === 'in' ? '@in' : `_${sign.text}_`;
      left = this.call(sign.at, name, [left, this.sum()]);
    }
    return left;
  }

  private sum(): Expr {
    return this.chain(terms, () => this.chain(factors, () => this.unary()));
  }

  private chain(signs: ReadonlySet<string>, operand: () => Expr): Expr {
    let left = operand();
    while (this.peek().type === 'symbol' && signs.has(this.peek().text)) {
      const sign = this.advance();
      left = this.call(sign.at, `_${sign.text}_`, [left, operand()]);
    }
    return left;
  }

  private unary(): Expr {
    const sign = this.peek();
    if (sign.type !== 'symbol' || (sign.text !== '!' && sign.text !== '-')) return this.member();
    if (sign.text === '-' && this.isNumber(this.peek(1)) && this.peek().at >= 0) return this.member();
    let count = 0;
    while (this.is(sign.text)) {
      this.advance();
      count++;
    }
    const operand = this.member();
    return count % 2 === 0 ? operand : this.call(sign.at, `${sign.text}_`, [operand]);
  }

  private isNumber(token: Token): boolean {
    return token.type === 'int' || token.type === 'double' || token.type === 'uint';
  }

  private member(): Expr {
    let expr = this.primary();
    while (true) {
      const sign = this.peek();
      if (this.take('.')) expr = this.selection(expr, sign.at);
      else if (this.take('[')) expr = this.indexing(expr, sign.at);
      else return expr;
    }
  }

  private selection(operand: Expr, at: number): Expr {
    const optional = this.optionalMark(at, '.?');
    const token = this.peek();
    const field = this.fieldName();
    if (optional) {
      const name: Expr = { kind: 'constant', at: token.at, literal: { type: 'string', value: field } };
      return this.call(at, '_?._', [operand, name]);
    }
    const open = this.peek();
    if (token.type === 'ident' && this.take('(')) return this.invocation(open.at, field, operand);
    return this.made({ kind: 'select', at, operand, field, test: false }, [operand]);
  }

  private indexing(operand: Expr, at: number): Expr {
    const optional = this.optionalMark(at, '[?');
    const index = this.expression();
    this.expect(']');
    return this.call(at, optional ? '_[?_]' : '_[_]', [operand, index]);
  }

  /** Whether a `?` follows that makes what it stands before optional. */
  private optionalMark(at: number, sign: string): boolean {
    if (!this.is('?')) return false;
    if (!this.options.optionalSyntax) {
      if (sign === '.?') this.syntax(this.peek(), `extraneous input '?' expecting IDENTIFIER`);
      else this.issues.push({ at, message: `unsupported syntax '${sign}'` });
    }
    this.advance();
    return true;
  }

  private fieldName(): string {
    const token = this.peek();
    if (token.type === 'ident') return this.advance().text;
    if (token.type === 'escaped') {
      this.advance();
      if (!this.options.escapedNames) this.issues.push({ at: token.at, message: "unsupported syntax: '`'" });
      return token.text.slice(1, -1);
    }
    if (this.peek(1).type === 'ident' && token.type === 'symbol') {
      this.syntax(token, `extraneous input '${token.text}' expecting IDENTIFIER`);
      this.advance();
      return this.advance().text;
    }
    if (token.type === 'symbol') return this.fail(token, `mismatched input '${token.text}' expecting IDENTIFIER`);
    return this.fail(token, `no viable alternative at input '.${token.type === 'end' ? '' : token.text}'`);
  }

  private primary(): Expr {
    const token = this.peek();
    switch (token.type) {
      case 'ident':
        return this.named(token, '');
      case 'int':
      case 'uint':
        return this.literal(token, readInteger(this.advance().text));
      case 'double':
        return this.literal(token, readDouble(this.advance().text));
      case 'string':
      case 'bytes':
        return this.literal(token, readQuoted(this.advance().text));
      case 'symbol':
        return this.symbol(token);
      default:
        return this.unexpected(token);
    }
  }

  private symbol(token: Token): Expr {
    switch (token.text) {
      case '(': {
        this.advance();
        const inner = this.expression();
        this.expect(')');
        return inner;
      }
      case '[':
        return this.list();
      case '{':
        return this.map();
      case '.':
        this.advance();
        if (this.peek().type !== 'ident')
          return this.fail(this.peek(), `no viable alternative at input '.${this.peek().text}'`);
        return this.named(token, '.');
      case '-':
        if (!this.isNumber(this.peek(1))) return this.unexpected(token);
        this.advance();
        return this.negative(token);
      case 'true':
      case 'false':
        this.advance();
        return this.made(
          { kind: 'constant', at: token.at, literal: { type: 'bool', value: token.text === 'true' } },
          [],
        );
      case 'null':
        this.advance();
        return this.made({ kind: 'constant', at: token.at, literal: { type: 'null' } }, []);
      default:
        return this.unexpected(token);
    }
  }

  private negative(sign: Token): Expr {
    const token = this.advance();
    const text = `-${token.text}`;
    return this.literal(sign, token.type === 'double' ? readDouble(text) : readInteger(text));
  }

  /** A token with which no expression begins is passed over where one begins right after it. */
  private unexpected(token: Token): Expr {
    const next = this.peek(1);
    const begins = next.type !== 'end' && (next.type !== 'symbol' || '[{(.-!truefalsenull'.includes(next.text));
    if (token.type === 'end' || !begins)
      return this.fail(token, `mismatched input '${token.text}' expecting ${primaryStart}`);
    this.syntax(token, `extraneous input '${token.text}' expecting ${primaryStart}`);
    this.advance();
    if (++this.nesting > this.maxDepth) this.tooDeep();
    return this.primary();
  }

  /** A name, a call of a function, or an object of a named type. */
  private named(first: Token, dot: '' | '.'): Expr {
    const token = this.advance();
    const name = dot + token.text;
    const message = this.messageName(name);
    if (message !== undefined) return this.message(message);
    if (reserved.has(token.text)) this.issues.push({ at: token.at, message: `reserved identifier: ${token.text}` });
    const open = this.peek();
    if (this.take('(')) return this.invocation(open.at, name, undefined);
    return this.made({ kind: 'ident', at: first.at, name }, []);
  }

  /** The name of a type before `{`; nothing is consumed where there is none. */
  private messageName(first: string): string | undefined {
    let ahead = 0;
    let name = first;
    while (this.peek(ahead).text === '.' && this.peek(ahead + 1).type === 'ident') {
      name += `.${this.peek(ahead + 1).text}`;
      ahead += 2;
    }
    const open = this.peek(ahead);
    if (open.type !== 'symbol' || open.text !== '{') return undefined;
    this.index += ahead;
    return name;
  }

  private message(name: string): Expr {
    const { at } = this.advance();
    const fields: MessageField[] = [];
    while (!this.is('}')) {
      const optional = this.entryMark();
      const field = this.fieldName();
      const colon = this.peek().at;
      this.expect(':');
      fields.push({ at: colon, name: field, value: this.expression(), optional });
      if (!this.take(',')) break;
    }
    this.expect('}');
    return this.made(
      { kind: 'message', at, name, fields },
      fields.map(({ value }) => value),
    );
  }

  private list(): Expr {
    const { at } = this.advance();
    const items: Expr[] = [];
    const optional = new Set<number>();
    while (!this.is(']')) {
      if (items.length === 0 && this.is(',')) {
        this.advance();
        break;
      }
      if (this.entryMark()) optional.add(items.length);
      items.push(this.expression());
      if (!this.take(',')) break;
    }
    this.closing(']');
    return this.made({ kind: 'list', at, items, optional }, items);
  }

  private map(): Expr {
    const { at } = this.advance();
    const entries: MapEntry[] = [];
    while (!this.is('}')) {
      if (entries.length === 0 && this.is(',')) {
        this.advance();
        break;
      }
      const optional = this.entryMark();
      const key = this.expression();
      const colon = this.peek().at;
      this.expect(':');
      entries.push({ at: colon, key, value: this.expression(), optional });
      if (!this.take(',')) break;
    }
    this.closing('}');
    return this.made(
      { kind: 'map', at, entries },
      entries.flatMap(({ key, value }) => [key, value]),
    );
  }

  private entryMark(): boolean {
    const token = this.peek();
    if (!this.take('?')) return false;
    if (!this.options.optionalSyntax) this.issues.push({ at: token.at, message: "unsupported syntax '?'" });
    return true;
  }

  private invocation(at: number, name: string, target: Expr | undefined): Expr {
    const args: Expr[] = [];
    while (!this.is(')')) {
      args.push(this.expression());
      if (!this.take(',')) break;
    }
    this.expect(')');
    const call: Call = { kind: 'call', at, name, args, ...(target === undefined ? {} : { target }) };
    const expansion = expandMacro(call, this.options.macros);
    if (expansion === undefined) return this.made(call, target === undefined ? args : [target, ...args]);
    if ('issue' in expansion) {
      this.issues.push(expansion.issue);
      return this.made(call, args);
    }
    // An expansion adds a bounded number of levels to what it is made of.
    return this.made(expansion.expr, target === undefined ? args : [target, ...args]);
  }

  private literal(token: Token, read: ReadLiteral): Expr {
    if ('literal' in read) return this.made({ kind: 'constant', at: token.at, literal: read.literal }, []);
    this.issues.push({ at: token.at, message: read.error });
    return this.made({ kind: 'constant', at: token.at, literal: { type: 'null' } }, []);
  }

  private call(at: number, name: string, args: readonly Expr[]): Expr {
    return this.made({ kind: 'call', at, name, args }, args);
  }

  private made(expr: Expr, children: readonly Expr[]): Expr {
    let depth = 0;
    for (const child of children) depth = Math.max(depth, this.depths.get(child) ?? 0);
    if (depth >= this.maxDepth) this.tooDeep();
    this.depths.set(expr, depth + 1);
    return expr;
  }

  private tooDeep(): never {
    this.issues.push({ at: -1, message: `expression recursion limit exceeded: ${this.maxDepth}` });
    throw new Abort();
  }

  private peek(ahead = 0): Token {
    return this.tokens[Math.min(this.index + ahead, this.tokens.length - 1)] ?? { type: 'end', text: '<EOF>', at: 0 };
  }

  private advance(): Token {
    const token = this.peek();
    this.index++;
    return token;
  }

  private is(sign: string): boolean {
    const token = this.peek();
    return token.type === 'symbol' && token.text === sign;
  }

  private take(sign: string): boolean {
    if (!this.is(sign)) return false;
    this.index++;
    return true;
  }

  private closing(sign: string): void {
    if (this.take(sign)) return;
    this.fail(this.peek(), `mismatched input '${this.peek().text}' expecting {'${sign}', ','}`);
  }

  /** Takes a sign. A missing one at the end of the text, and one with a token too many before it, are reported and passed. */
  private expect(sign: string): void {
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

  private syntax(token: Token, message: string): void {
    this.issues.push({ at: token.at, message: `Syntax error: ${message}` });
  }

  private fail(token: Token, message: string): never {
    this.syntax(token, message);
    throw new Abort();
  }
}
