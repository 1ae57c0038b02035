/** The syntax tree of an expression, with its macros expanded. */

/** A constant as written. Integers are exact. */
export type Literal =
  | { readonly type: 'null' }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'int'; readonly value: bigint }
  | { readonly type: 'uint'; readonly value: bigint }
  | { readonly type: 'double'; readonly value: number }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'bytes'; readonly value: Uint8Array };

interface Node {
  /** The place of the node in reports: the UTF-16 offset of its operator, bracket or first character. */
  readonly at: number;
}

export interface Constant extends Node {
  readonly kind: 'constant';
  readonly literal: Literal;
}

export interface Ident extends Node {
  readonly kind: 'ident';
  /** Begins with a dot if the name is absolute. */
  readonly name: string;
}

export interface Select extends Node {
  readonly kind: 'select';
  readonly operand: Expr;
  readonly field: string;
  /** Whether it tests the presence of the field, like `has()`. */
  readonly test: boolean;
}

/** A call; operators are functions named `_+_`, `!_`, `_[_]`, `_?_:_`, `@in` and so on. */
export interface Call extends Node {
  readonly kind: 'call';
  readonly name: string;
  readonly target?: Expr;
  readonly args: readonly Expr[];
  /** The parts of `optMap` and `optFlatMap`. With them, programs evaluate the target once. */
  readonly chain?: OptionalChain;
}

export interface OptionalChain {
  readonly target: Expr;
  readonly variable: string;
  readonly body: Expr;
  /** Whether the body itself yields an optional. */
  readonly flat: boolean;
}

export interface ListLiteral extends Node {
  readonly kind: 'list';
  readonly items: readonly Expr[];
  /** The indexes of optional items, which the list leaves out if they are absent. */
  readonly optional: ReadonlySet<number>;
}

export interface MapEntry extends Node {
  readonly key: Expr;
  readonly value: Expr;
  readonly optional: boolean;
}

export interface MapLiteral extends Node {
  readonly kind: 'map';
  readonly entries: readonly MapEntry[];
}

export interface MessageField extends Node {
  readonly name: string;
  readonly value: Expr;
  readonly optional: boolean;
}

/** An object of a named type. */
export interface MessageLiteral extends Node {
  readonly kind: 'message';
  readonly name: string;
  readonly fields: readonly MessageField[];
}

/** A loop over a list or a map. All macros except `has` become loops. */
export interface Comprehension extends Node {
  readonly kind: 'comprehension';
  readonly range: Expr;
  readonly variable: string;
  /** The variable for the value in macros with two variables; `variable` is then the index or key. */
  readonly second?: string;
  readonly accumulator: string;
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
  /** The macro that it was expanded from. Programs have a plain loop for it. */
  readonly macro: Macro;
}

/** A macro, with the parts that its loop evaluates. */
export type Macro =
  | { readonly name: 'all' | 'exists' | 'existsOne'; readonly predicate: Expr }
  | { readonly name: 'list'; readonly filter?: Expr; readonly transform: Expr }
  | { readonly name: 'map'; readonly filter?: Expr; readonly transform: Expr }
  | { readonly name: 'mapEntry'; readonly filter?: Expr; readonly transform: Expr }
  | { readonly name: 'bind'; readonly value: Expr; readonly body: Expr };

export type Expr = Constant | Ident | Select | Call | ListLiteral | MapLiteral | MessageLiteral | Comprehension;
