/** Short forms for the declarations of libraries. */
import type { Type } from '../check/types.js';
import type { FunctionDeclaration, Overload } from '../environment.js';
import type { CelValue } from '../values/value.js';

/** Runs a function. It is a method, so that its parameters may be as narrow as the signature. */
interface Runner {
  run(...args: CelValue[]): CelValue;
}

/** Declares a function that expressions call by its name: `size(a)`. */
export function overload(id: string, params: readonly Type[], result: Type, run: Runner['run']): Overload {
  return { id, member: false, params, result, run };
}

/** Declares a function that expressions call on a value: `a.size()`. */
export function member(id: string, params: readonly Type[], result: Type, run: Runner['run']): Overload {
  return { id, member: true, params, result, run };
}

export function declare(name: string, ...overloads: readonly Overload[]): FunctionDeclaration {
  return { name, overloads };
}
