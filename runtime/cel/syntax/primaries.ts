/** Parses the first part of expressions: names, literals and brackets. */
import type { Expr, MapEntry, MessageField } from './ast.js';
import type { TokenCursor } from './cursor.js';
import type { Grammar, NodeMaker } from './grammar.js';
import { isNumber, type Token } from './lexer.js';
import { type ReadLiteral, readDouble, readInteger, readQuoted } from './literals.js';

const reserved = new Set(
  'as break const continue else for function if import let loop package namespace return var void while'.split(' '),
);

const primaryStart = `{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}`;

/** Symbols that can begin an expression. */
const beginnings: ReadonlySet<string> = new Set(['[', '{', '(', '.', '-', '!', 'true', 'false', 'null']);

export class PrimaryParser {
  private readonly tokens: TokenCursor;
  private readonly nodes: NodeMaker;
  private readonly aggregates: AggregateParser;

  constructor(private readonly grammar: Grammar) {
    this.tokens = grammar.tokens;
    this.nodes = grammar.nodes;
    this.aggregates = new AggregateParser(grammar);
  }

  /** Parses a name, a literal, or an expression in brackets. */
  primary(): Expr {
    const token = this.tokens.peek();
    switch (token.type) {
      case 'ident':
        return this.named(token, '');
      case 'int':
      case 'uint':
        return this.literal(token, readInteger(this.tokens.advance().text));
      case 'double':
        return this.literal(token, readDouble(this.tokens.advance().text));
      case 'string':
      case 'bytes':
        return this.literal(token, readQuoted(this.tokens.advance().text));
      case 'symbol':
        return this.symbol(token);
      default:
        return this.unexpected(token);
    }
  }

  private symbol(token: Token): Expr {
    switch (token.text) {
      case '(': {
        this.tokens.advance();
        const inner = this.grammar.expression();
        this.tokens.expect(')');
        return inner;
      }
      case '[':
        return this.aggregates.list();
      case '{':
        return this.aggregates.map();
      case '.':
        this.tokens.advance();
        if (this.tokens.peek().type !== 'ident')
          return this.tokens.fail(this.tokens.peek(), `no viable alternative at input '.${this.tokens.peek().text}'`);
        return this.named(token, '.');
      case '-':
        if (!isNumber(this.tokens.peek(1))) return this.unexpected(token);
        this.tokens.advance();
        return this.negative(token);
      case 'true':
      case 'false':
        this.tokens.advance();
        return this.nodes.made(
          { kind: 'constant', at: token.at, literal: { type: 'bool', value: token.text === 'true' } },
          [],
        );
      case 'null':
        this.tokens.advance();
        return this.nodes.made({ kind: 'constant', at: token.at, literal: { type: 'null' } }, []);
      default:
        return this.unexpected(token);
    }
  }

  private negative(sign: Token): Expr {
    const token = this.tokens.advance();
    const text = `-${token.text}`;
    return this.literal(sign, token.type === 'double' ? readDouble(text) : readInteger(text));
  }

  /**
   * Reports a token that cannot begin an expression. Skips it if an expression begins right after it; otherwise ends
   * the parsing.
   */
  private unexpected(token: Token): Expr {
    const next = this.tokens.peek(1);
    const begins = next.type !== 'end' && (next.type !== 'symbol' || beginnings.has(next.text));
    if (token.type === 'end' || !begins)
      return this.tokens.fail(token, `mismatched input '${token.text}' expecting ${primaryStart}`);
    this.tokens.syntax(token, `extraneous input '${token.text}' expecting ${primaryStart}`);
    this.tokens.advance();
    this.nodes.enter();
    return this.primary();
  }

  /** Parses a name, a call of a function, or an object of a named type. */
  private named(first: Token, dot: '' | '.'): Expr {
    const token = this.tokens.advance();
    const name = dot + token.text;
    const message = this.messageName(name);
    if (message !== undefined) return this.aggregates.message(message);
    if (reserved.has(token.text)) this.tokens.report({ at: token.at, message: `reserved identifier: ${token.text}` });
    const open = this.tokens.peek();
    if (this.tokens.take('(')) return this.grammar.invocation(open.at, name, undefined);
    return this.nodes.made({ kind: 'ident', at: first.at, name }, []);
  }

  /** Parses the name of a type before `{`. Skips nothing if there is none. */
  private messageName(first: string): string | undefined {
    let ahead = 0;
    let name = first;
    while (this.tokens.peek(ahead).text === '.' && this.tokens.peek(ahead + 1).type === 'ident') {
      name += `.${this.tokens.peek(ahead + 1).text}`;
      ahead += 2;
    }
    const open = this.tokens.peek(ahead);
    if (open.type !== 'symbol' || open.text !== '{') return undefined;
    this.tokens.skip(ahead);
    return name;
  }

  private literal(token: Token, read: ReadLiteral): Expr {
    if ('literal' in read) return this.nodes.made({ kind: 'constant', at: token.at, literal: read.literal }, []);
    this.tokens.report({ at: token.at, message: read.error });
    return this.nodes.made({ kind: 'constant', at: token.at, literal: { type: 'null' } }, []);
  }
}

class AggregateParser {
  private readonly tokens: TokenCursor;
  private readonly nodes: NodeMaker;

  constructor(private readonly grammar: Grammar) {
    this.tokens = grammar.tokens;
    this.nodes = grammar.nodes;
  }

  /** Parses `[a, b]`. */
  list(): Expr {
    const { at } = this.tokens.advance();
    const items: Expr[] = [];
    const optional = new Set<number>();
    while (!this.tokens.is(']')) {
      if (items.length === 0 && this.tokens.is(',')) {
        this.tokens.advance();
        break;
      }
      if (this.entryMark()) optional.add(items.length);
      items.push(this.grammar.expression());
      if (!this.tokens.take(',')) break;
    }
    this.tokens.closing(']');
    return this.nodes.made({ kind: 'list', at, items, optional }, items);
  }

  /** Parses `{a: b}`. */
  map(): Expr {
    const { at } = this.tokens.advance();
    const entries: MapEntry[] = [];
    while (!this.tokens.is('}')) {
      if (entries.length === 0 && this.tokens.is(',')) {
        this.tokens.advance();
        break;
      }
      const optional = this.entryMark();
      const key = this.grammar.expression();
      const colon = this.tokens.peek().at;
      this.tokens.expect(':');
      entries.push({ at: colon, key, value: this.grammar.expression(), optional });
      if (!this.tokens.take(',')) break;
    }
    this.tokens.closing('}');
    return this.nodes.made(
      { kind: 'map', at, entries },
      entries.flatMap(({ key, value }) => [key, value]),
    );
  }

  /** Parses `{a: b}` after the name of a type. */
  message(name: string): Expr {
    const { at } = this.tokens.advance();
    const fields: MessageField[] = [];
    while (!this.tokens.is('}')) {
      const optional = this.entryMark();
      const field = this.grammar.fieldName();
      const colon = this.tokens.peek().at;
      this.tokens.expect(':');
      fields.push({ at: colon, name: field, value: this.grammar.expression(), optional });
      if (!this.tokens.take(',')) break;
    }
    this.tokens.expect('}');
    return this.nodes.made(
      { kind: 'message', at, name, fields },
      fields.map(({ value }) => value),
    );
  }

  /** Returns whether a `?` comes next, which makes the next entry optional. Skips it. */
  private entryMark(): boolean {
    const token = this.tokens.peek();
    if (!this.tokens.take('?')) return false;
    if (!this.grammar.options.optionalSyntax) this.tokens.report({ at: token.at, message: "unsupported syntax '?'" });
    return true;
  }
}
