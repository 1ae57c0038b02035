/** The calls from the checker of one kind of expression to the others. */
import type { Environment } from '../environment.js';
import type { Expr } from '../syntax/ast.js';
import type { RawIssue } from '../syntax/source.js';
import type { Reference } from './references.js';
import type { Scope } from './scope.js';
import type { Substitution } from './substitution.js';
import type { Type } from './types.js';

export interface CheckHost {
  readonly environment: Environment;
  readonly substitution: Substitution;
  readonly scope: Scope;
  /** The types that were found so far. */
  readonly types: Map<Expr, Type>;
  readonly references: Map<Expr, Reference>;
  /** The type of a part, which is checked where it has not been yet. */
  check(expr: Expr): Type;
  /** Keeps a mistake; checking goes on. */
  report(place: Pick<RawIssue, 'at'>, message: string): void;
  /** Reports a name that refers to nothing. */
  undeclared(expr: Expr, name: string): Type;
  /** The type of a field that is selected. */
  field(expr: Expr, operand: Expr, name: string, makeOptional: boolean): Type;
  /** Checks parts whose lists and maps may hold values of several types. */
  mixing(check: () => void): void;
}
