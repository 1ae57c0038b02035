/** Parses an expression into its syntax tree: recursive descent with bounded depth, macros expanded on the way. */
import type { Expr } from './ast.js';
import { Abort, TokenCursor } from './cursor.js';
import type { Grammar, ParserOptions } from './grammar.js';
import { MemberParser } from './members.js';
import { NodeMaker } from './nodes.js';
import { OperatorParser } from './operators.js';
import { PrimaryParser } from './primaries.js';
import type { RawIssue } from './source.js';

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
