/** Names the functions that a program calls for overloads. */

import type { Checked } from '../check/references.js';
import { dyn } from '../check/types.js';
import type { Overload } from '../environment.js';
import type { Call } from '../syntax/ast.js';
import { type Code, camelCase, type ProgramCode } from './code.js';
import { quoted } from './program-text.js';

/** The overloads that a call may mean. */
export function overloadsOf(expr: Call, checked: Checked): readonly Overload[] {
  const reference = checked.references.get(expr);
  return reference?.kind === 'function' ? reference.overloads : [];
}

/** The function of an overload by itself, for calls of fixed cost. */
export function direct(code: ProgramCode, { id }: Overload): string {
  return code.constant(camelCase(id), `overloads(${quoted(id)})`);
}

/** The function of an overload whose cost depends on its arguments. */
export function metered(code: ProgramCode, { id }: Overload): string {
  return code.constant(camelCase(id), `overloads.metered(${quoted(id)})`);
}

/** A function that finds the overload to call by the values it is given. */
export function anyOf(code: ProgramCode, overloads: readonly Overload[]): string {
  const ids = overloads.map(({ id }) => quoted(id)).join(', ');
  return code.constant(`any${camelCase(`_${overloads[0]?.id}`)}`, `overloads.anyOf(${ids})`);
}

/** The code of a call that no overload fits. */
export function broken(code: ProgramCode): Code {
  return { text: `${code.use('noSuchOverload')}()`, type: dyn, cost: 0, fails: true };
}
