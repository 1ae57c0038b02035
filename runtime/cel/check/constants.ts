/** Tells which parts of an expression only consist of constants. */

import type { Expr } from '../syntax/ast.js';
import type { Checked } from './references.js';

/** Conversions that are carried out when the program is made, so that mistakes in them show at once. */
const conversions = new Set(['bool', 'bytes', 'double', 'duration', 'dyn', 'int', 'string', 'timestamp', 'uint']);

/** A constant, a list or map of constants, or a constant converted to another type. */
export function isConstant(expr: Expr, checked: Checked): boolean {
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

/** Whether evaluating it beforehand saves anything. */
export function isFoldable(expr: Expr, checked: Checked): boolean {
  return expr.kind !== 'constant' && isConstant(expr, checked);
}
