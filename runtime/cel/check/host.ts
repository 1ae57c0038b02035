/** The interface between the parts of the checker. */
import type { Environment } from '../environment.js';
import type { Expr } from '../syntax/ast.js';
import type { RawIssue } from '../syntax/source.js';
import type { Reference } from './references.js';
import type { Substitution } from './substitution.js';
import type { Type } from './types.js';

export interface CheckHost {
  readonly environment: Environment;
  readonly substitution: Substitution;
  readonly scope: Scope;
  /** The types found so far. */
  readonly types: Map<Expr, Type>;
  readonly references: Map<Expr, Reference>;
  /** Returns the type of a part. Checks the part first if necessary. */
  check(expr: Expr): Type;
  /** Keeps a mistake and goes on. */
  report(place: Pick<RawIssue, 'at'>, message: string): void;
  /** Reports a name that refers to nothing. */
  undeclared(expr: Expr, name: string): Type;
  /** Returns the type of a selected field. */
  field(expr: Expr, operand: Expr, name: string, makeOptional: boolean): Type;
  /** Runs checks in which lists and maps may have values of several types. */
  mixing(check: () => void): void;
}

/** Variables by name, the innermost first. */
interface Level {
  readonly names: ReadonlyMap<string, Type>;
  readonly outer: Level | undefined;
}

export class Scope {
  private level: Level | undefined;

  /** Adds variables; they hide outer ones of the same names. */
  enter(names: ReadonlyMap<string, Type>): void {
    this.level = { names, outer: this.level };
  }

  /** Drops the variables added last. */
  leave(): void {
    this.level = this.level?.outer;
  }

  /** Returns the type of a variable. */
  find(name: string): Type | undefined {
    for (let level = this.level; level !== undefined; level = level.outer) {
      const type = level.names.get(name);
      if (type !== undefined) return type;
    }
    return undefined;
  }
}
