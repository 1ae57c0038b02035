/** The types that the parts of the parser share. */
import type { Expr } from './ast.js';
import { Abort, type TokenCursor } from './cursor.js';
import type { MacroSet } from './macros.js';

/** The options and limits of the grammar. */
export interface ParserOptions {
  readonly macros: MacroSet;
  /** `a.?b`, `a[?b]`, `[?a]`, `{?a: b}`. */
  readonly optionalSyntax: boolean;
  /** Field names in backquotes. */
  readonly escapedNames: boolean;
  /** The maximum depth of expressions, by default 250. Each operator of a chain counts. */
  readonly maxDepth?: number;
  /** The longest expression, in UTF-16 units; by default 100,000. */
  readonly maxLength?: number;
}

/** The interface between the parts of the parser. */
export interface Grammar {
  readonly options: ParserOptions;
  readonly tokens: TokenCursor;
  readonly nodes: NodeMaker;
  /** Parses any expression, beginning with the conditional operator. */
  expression(): Expr;
  /** Parses a primary expression with the selections, indexes and calls after it. */
  member(): Expr;
  /** Parses a name, a literal, or an expression in brackets. */
  primary(): Expr;
  /** Parses the arguments of a call after its opening bracket. */
  invocation(at: number, name: string, target: Expr | undefined): Expr;
  /** Parses the name of a field, which may be in backquotes. */
  fieldName(): string;
}

export class NodeMaker {
  private readonly depths = new Map<Expr, number>();
  private nesting = 0;

  constructor(
    private readonly tokens: TokenCursor,
    private readonly maxDepth: number,
  ) {}

  /** Enters a level of recursion, before it has a node. Reports too many levels. */
  enter(): void {
    if (++this.nesting > this.maxDepth) this.tooDeep(`expression recursion limit exceeded: ${this.maxDepth}`);
  }

  /** Leaves a level of recursion. */
  leave(): void {
    this.nesting--;
  }

  /** Makes a call of a function or an operator. */
  call(at: number, name: string, args: readonly Expr[]): Expr {
    return this.made({ kind: 'call', at, name, args }, args);
  }

  /** Makes a node, and computes its depth from its children. */
  made(expr: Expr, children: readonly Expr[]): Expr {
    let depth = 0;
    for (const child of children) depth = Math.max(depth, this.depths.get(child) ?? 0);
    if (depth >= this.maxDepth) this.tooDeep('max recursion depth exceeded');
    this.depths.set(expr, isLeaf(expr) ? depth : depth + 1);
    return expr;
  }

  /** Ends the parsing. The message is different for nested parts and for operators in a row. */
  private tooDeep(message: string): never {
    this.tokens.report({ at: -1, message });
    throw new Abort();
  }
}

/** Returns whether a node adds no level: a name or a constant. */
const isLeaf = ({ kind }: Expr): boolean => kind === 'ident' || kind === 'constant';
