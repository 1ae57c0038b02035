/** A checked expression: the types of its parts, and the targets of its names. */
import type { Overload } from '../environment.js';
import type { Expr } from '../syntax/ast.js';
import type { Type } from './types.js';

/** The target of a name in an expression. */
export type Reference =
  | { readonly kind: 'variable'; readonly name: string }
  /** A variable of a macro. */
  | { readonly kind: 'local'; readonly name: string }
  | { readonly kind: 'type'; readonly name: string; readonly type: Type }
  /** The overloads that fit the known types. */
  | {
      readonly kind: 'function';
      readonly name: string;
      readonly overloads: readonly Overload[];
      readonly namespaced: boolean;
    }
  /** The full name of an object literal's type. */
  | { readonly kind: 'message'; readonly name: string };

/** Types and references of the parts of an expression. */
export interface Checked {
  readonly types: ReadonlyMap<Expr, Type>;
  readonly references: ReadonlyMap<Expr, Reference>;
}

/** Returns `a.b.c` as one name, or `undefined` for other expressions. */
export function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === 'ident') return expr.name;
  if (expr.kind !== 'select' || expr.test) return undefined;
  const prefix = qualifiedName(expr.operand);
  return prefix === undefined ? undefined : `${prefix}.${expr.field}`;
}

/** Conversions of constants run when the program is made, so their mistakes show at once. */
const conversions = new Set(['bool', 'bytes', 'double', 'duration', 'dyn', 'int', 'string', 'timestamp', 'uint']);

/** Returns whether an expression is a constant, a list or map of constants, or a converted constant. */
function isConstant(expr: Expr, checked: Checked): boolean {
  switch (expr.kind) {
    case 'constant':
      return true;
    case 'list':
      return expr.optional.size === 0 && expr.items.every((item) => isConstant(item, checked));
    case 'map':
      return expr.entries.every(
        ({ key, value, optional }) => !optional && isConstant(key, checked) && isConstant(value, checked),
      );
    case 'call': {
      const [argument] = expr.args;
      if (expr.target !== undefined || argument === undefined || !conversions.has(expr.name)) return false;
      const reference = checked.references.get(expr);
      const single = reference?.kind === 'function' && reference.overloads.length === 1;
      return single && expr.args.length === 1 && isConstant(argument, checked);
    }
    default:
      return false;
  }
}

/** Returns whether evaluating an expression in advance saves time. */
export function isFoldable(expr: Expr, checked: Checked): boolean {
  return expr.kind !== 'constant' && isConstant(expr, checked);
}
