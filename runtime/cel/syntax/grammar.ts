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
  /** How deep expressions may nest, operators of one chain included. 250 where absent. */
  readonly maxDepth?: number;
  /** The longest expression, in UTF-16 units. 100,000 where absent. */
  readonly maxLength?: number;
}

/** The calls from the parser of one part of the grammar to the others. */
export interface Grammar {
  readonly options: ParserOptions;
  readonly tokens: TokenCursor;
  readonly nodes: NodeMaker;
  /** Anything, down from the conditional operator. */
  expression(): Expr;
  /** A primary expression with the selections, indexes and calls behind it. */
  member(): Expr;
  /** A name, a literal, or what stands in brackets. */
  primary(): Expr;
  /** The arguments of a call whose bracket was taken. */
  invocation(at: number, name: string, target: Expr | undefined): Expr;
  /** The name of a field, which may be in backquotes. */
  fieldName(): string;
}

export class NodeMaker {
  private readonly depths = new Map<Expr, number>();
  private nesting = 0;

  constructor(
    private readonly tokens: TokenCursor,
    private readonly maxDepth: number,
  ) {}

  /** Counts a level of recursion, before there is a node for it. */
  enter(): void {
    if (++this.nesting > this.maxDepth) this.tooDeep(`expression recursion limit exceeded: ${this.maxDepth}`);
  }

  /** Ends such a level. */
  leave(): void {
    this.nesting--;
  }

  /** A call of a function or an operator. */
  call(at: number, name: string, args: readonly Expr[]): Expr {
    return this.made({ kind: 'call', at, name, args }, args);
  }

  /** A node, with the depth that its children give it. */
  made(expr: Expr, children: readonly Expr[]): Expr {
    let depth = 0;
    for (const child of children) depth = Math.max(depth, this.depths.get(child) ?? 0);
    if (depth >= this.maxDepth) this.tooDeep('max recursion depth exceeded');
    this.depths.set(expr, isLeaf(expr) ? depth : depth + 1);
    return expr;
  }

  /** Parts that are written within each other and operators in a row are told apart. */
  private tooDeep(message: string): never {
    this.tokens.report({ at: -1, message });
    throw new Abort();
  }
}

/** Names and constants are no level of their own. */
const isLeaf = ({ kind }: Expr): boolean => kind === 'ident' || kind === 'constant';
