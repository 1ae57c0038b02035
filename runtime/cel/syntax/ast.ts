/** The syntax tree of an expression, its macros expanded. */

/** A constant as it is written. Integers are exact. */
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
  /** Begins with a dot where the name is absolute. */
  readonly name: string;
}

export interface Select extends Node {
  readonly kind: 'select';
  readonly operand: Expr;
  readonly field: string;
  /** Whether it asks for the field's presence, as `has()` does. */
  readonly test: boolean;
}

/** A call; operators are functions named `_+_`, `!_`, `_[_]`, `_?_:_`, `@in` and so on. */
export interface Call extends Node {
  readonly kind: 'call';
  readonly name: string;
  readonly target?: Expr;
  readonly args: readonly Expr[];
  /** The parts of `optMap` and `optFlatMap`, so that the target is evaluated once. */
  readonly chain?: OptionalChain;
}

export interface OptionalChain {
  readonly target: Expr;
  readonly variable: string;
  readonly body: Expr;
  /** Whether the body yields an optional itself. */
  readonly flat: boolean;
}

export interface ListLiteral extends Node {
  readonly kind: 'list';
  readonly items: readonly Expr[];
  /** Indexes of items that are left out if they are absent. */
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

/** A loop over a list or a map; what all macros but `has` become. */
export interface Comprehension extends Node {
  readonly kind: 'comprehension';
  readonly range: Expr;
  readonly variable: string;
  /** Of two-variable macros: the value, where `variable` is the index or key. */
  readonly second?: string;
  readonly accumulator: string;
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
  /** The macro that it comes from; programs use a plain loop for it. */
  readonly macro: Macro;
}

/** The parts of a macro that its loop evaluates. */
export type Macro =
  | { readonly name: 'all' | 'exists' | 'existsOne'; readonly predicate: Expr }
  | { readonly name: 'list'; readonly filter?: Expr; readonly transform: Expr }
  | { readonly name: 'map'; readonly filter?: Expr; readonly transform: Expr }
  | { readonly name: 'mapEntry'; readonly filter?: Expr; readonly transform: Expr }
  | { readonly name: 'bind'; readonly value: Expr; readonly body: Expr };

export type Expr = Constant | Ident | Select | Call | ListLiteral | MapLiteral | MessageLiteral | Comprehension;
