/** Parses an expression into its syntax tree, by recursive descent with bounded depth. Expands macros at once. */
import type { Call, Expr } from './ast.js';
import { Abort, TokenCursor } from './cursor.js';
import { type Grammar, NodeMaker, type ParserOptions } from './grammar.js';
import { expandMacro } from './macros.js';
import { OperatorParser } from './operators.js';
import { PrimaryParser } from './primaries.js';
import type { RawIssue } from './source.js';

export type Parsed =
  | { readonly ok: true; readonly expr: Expr }
  | { readonly ok: false; readonly issues: readonly RawIssue[] };

/** Parses a text. Reports all mistakes that do not follow from other mistakes. */
export function parse(text: string, options: ParserOptions): Parsed {
  const limit = options.maxLength ?? 100_000;
  if (text.length > limit) {
    const message = `expression code point size exceeds limit: size: ${text.length}, limit ${limit}`;
    return { ok: false, issues: [{ at: -1, message }] };
  }
  return new Parser(text, options).run();
}

class Parser implements Grammar {
  readonly tokens: TokenCursor;
  readonly nodes: NodeMaker;
  private readonly operators: OperatorParser;
  private readonly members: MemberParser;
  private readonly primaries: PrimaryParser;

  constructor(
    text: string,
    readonly options: ParserOptions,
  ) {
    this.tokens = new TokenCursor(text);
    this.nodes = new NodeMaker(this.tokens, options.maxDepth ?? 250);
    this.operators = new OperatorParser(this);
    this.members = new MemberParser(this);
    this.primaries = new PrimaryParser(this);
  }

  run(): Parsed {
    try {
      const expr = this.expression();
      this.end();
      if (this.tokens.issues.length === 0) return { ok: true, expr };
    } catch (error) {
      if (!(error instanceof Abort)) throw error;
    }
    return { ok: false, issues: this.tokens.issues };
  }

  private end(): void {
    if (this.tokens.peek().type === 'end') return;
    const extraneous = this.tokens.peek(1).type === 'end';
    this.tokens.syntax(
      this.tokens.peek(),
      `${extraneous ? 'extraneous' : 'mismatched'} input '${this.tokens.peek().text}' expecting <EOF>`,
    );
  }

  expression(): Expr {
    return this.operators.expression();
  }

  member(): Expr {
    return this.members.member();
  }

  primary(): Expr {
    return this.primaries.primary();
  }

  invocation(at: number, name: string, target: Expr | undefined): Expr {
    return this.members.invocation(at, name, target);
  }

  fieldName(): string {
    return this.members.fieldName();
  }
}

class MemberParser {
  private readonly tokens: TokenCursor;
  private readonly nodes: NodeMaker;

  constructor(private readonly grammar: Grammar) {
    this.tokens = grammar.tokens;
    this.nodes = grammar.nodes;
  }

  /** Parses a primary expression with the selections, indexes and calls after it. */
  member(): Expr {
    let expr = this.grammar.primary();
    while (true) {
      const sign = this.tokens.peek();
      if (this.tokens.take('.')) expr = this.selection(expr, sign.at);
      else if (this.tokens.take('[')) expr = this.indexing(expr, sign.at);
      else return expr;
    }
  }

  private selection(operand: Expr, at: number): Expr {
    const optional = this.optionalMark(at, '.?');
    const token = this.tokens.peek();
    const field = this.fieldName();
    if (optional) {
      const name: Expr = { kind: 'constant', at: token.at, literal: { type: 'string', value: field } };
      return this.nodes.call(at, '_?._', [operand, name]);
    }
    const open = this.tokens.peek();
    if (token.type === 'ident' && this.tokens.take('(')) return this.invocation(open.at, field, operand);
    return this.nodes.made({ kind: 'select', at, operand, field, test: false }, [operand]);
  }

  private indexing(operand: Expr, at: number): Expr {
    const optional = this.optionalMark(at, '[?');
    const index = this.grammar.expression();
    this.tokens.expect(']');
    return this.nodes.call(at, optional ? '_[?_]' : '_[_]', [operand, index]);
  }

  /** Returns whether a `?` comes next, which makes the next part optional. Skips it. */
  private optionalMark(at: number, sign: string): boolean {
    if (!this.tokens.is('?')) return false;
    if (!this.grammar.options.optionalSyntax) {
      if (sign === '.?') this.tokens.syntax(this.tokens.peek(), `extraneous input '?' expecting IDENTIFIER`);
      else this.tokens.report({ at, message: `unsupported syntax '${sign}'` });
    }
    this.tokens.advance();
    return true;
  }

  /** Parses the name of a field, which may be in backquotes. */
  fieldName(): string {
    const token = this.tokens.peek();
    if (token.type === 'ident') return this.tokens.advance().text;
    if (token.type === 'escaped') {
      this.tokens.advance();
      if (!this.grammar.options.escapedNames) this.tokens.report({ at: token.at, message: "unsupported syntax: '`'" });
      return token.text.slice(1, -1);
    }
    if (this.tokens.peek(1).type === 'ident' && token.type === 'symbol') {
      this.tokens.syntax(token, `extraneous input '${token.text}' expecting IDENTIFIER`);
      this.tokens.advance();
      return this.tokens.advance().text;
    }
    if (token.type === 'symbol')
      return this.tokens.fail(token, `mismatched input '${token.text}' expecting IDENTIFIER`);
    return this.tokens.fail(token, `no viable alternative at input '.${token.type === 'end' ? '' : token.text}'`);
  }

  /** Parses the arguments of a call after its opening bracket. Expands the call if it is a macro. */
  invocation(at: number, name: string, target: Expr | undefined): Expr {
    const args: Expr[] = [];
    while (!this.tokens.is(')')) {
      args.push(this.grammar.expression());
      if (!this.tokens.take(',')) break;
    }
    this.tokens.expect(')');
    const call: Call = { kind: 'call', at, name, args, ...(target === undefined ? {} : { target }) };
    const expansion = expandMacro(call, this.grammar.options.macros);
    if (expansion === undefined) return this.nodes.made(call, target === undefined ? args : [target, ...args]);
    if ('issue' in expansion) {
      this.tokens.report(expansion.issue);
      return this.nodes.made(call, args);
    }
    // An expansion adds a bounded number of levels to its parts.
    return this.nodes.made(expansion.expr, target === undefined ? args : [target, ...args]);
  }
}
