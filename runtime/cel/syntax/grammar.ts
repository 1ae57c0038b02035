/** The types that the parts of the parser share. */
import type { Expr } from './ast.js';
import type { TokenCursor } from './cursor.js';
import type { MacroSet } from './macros.js';
import type { NodeMaker } from './nodes.js';

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
