/** Makes the nodes of a syntax tree, none deeper than a limit. */
import type { Expr } from './ast.js';
import { Abort, type TokenCursor } from './cursor.js';

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
