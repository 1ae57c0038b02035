/** The types of operands as known before a program runs, and the costs of looking them up. */

import type { Checked } from '../check/references.js';
import { dyn, type Type } from '../check/types.js';
import type { Overload } from '../environment.js';
import type { Call, Expr } from '../syntax/ast.js';
import { type Code, camelCase, type ProgramCode } from './code.js';
import { quoted } from './program-text.js';

/** Returns whether the arguments certainly have an overload's types, so that the call needs no checks. */
export function takesExactly({ params, id, loose }: Overload, args: readonly Code[]): boolean {
  if (id === 'equals' || id === 'not_equals') return true;
  return params.every((param, i) => {
    const argument = args[i];
    if (param.kind === 'param' || param.kind === 'dyn' || (loose === true && i > 0)) return true;
    return argument !== undefined && argument.type.kind === param.kind && argument.data?.nullable !== true;
  });
}

export function elementType(type: Type): Type {
  if (type.kind === 'list') return type.element;
  return type.kind === 'map' ? type.key : dyn;
}

export function intText(value: bigint): string {
  return Number.isSafeInteger(Number(value)) ? String(value) : `${value}n`;
}

/** Returns the code without the cost of its last lookup if it is a path. An index or a branch does not pay for it. */
export function free(code: Code, expr: Expr): Code {
  return isPath(expr) ? { ...code, cost: code.cost - 1 } : code;
}

function isPath(expr: Expr): boolean {
  if (expr.kind === 'ident') return true;
  if (expr.kind === 'select') return !expr.test && isPath(expr.operand);
  return expr.kind === 'call' && expr.name === '_[_]' && expr.args[0] !== undefined && isPath(expr.args[0]);
}

/** Returns the extra cost of a selection: one unless its operand is a name, a selection or an index. */
export function relativeCost(operand: Expr): number {
  if (operand.kind === 'ident' || operand.kind === 'select') return 0;
  return operand.kind === 'call' && /^_(\[\??_\]|\?\._)$/.test(operand.name) ? 0 : 1;
}

/** Returns the overloads that a call may mean. */
export function overloadsOf(expr: Call, checked: Checked): readonly Overload[] {
  const reference = checked.references.get(expr);
  return reference?.kind === 'function' ? reference.overloads : [];
}

/** Returns the function of an overload, for calls of fixed cost. */
export function direct(code: ProgramCode, { id }: Overload): string {
  return code.constant(camelCase(id), `overloads(${quoted(id)})`);
}

/** Returns the metered function of an overload, for calls with costs that depend on the arguments. */
export function metered(code: ProgramCode, { id }: Overload): string {
  return code.constant(camelCase(id), `overloads.metered(${quoted(id)})`);
}

/** Returns a function that chooses the overload by its arguments at run time. */
export function anyOf(code: ProgramCode, overloads: readonly Overload[]): string {
  const ids = overloads.map(({ id }) => quoted(id)).join(', ');
  return code.constant(`any${camelCase(`_${overloads[0]?.id}`)}`, `overloads.anyOf(${ids})`);
}

/** Returns the code of a call that fits no overload. */
export function broken(code: ProgramCode): Code {
  return { text: `${code.use('noSuchOverload')}()`, type: dyn, cost: 0, fails: true };
}
