/** Finds the type of every part of an expression, and what its names refer to. */
import type { Environment } from '../environment.js';
import type { Expr } from '../syntax/ast.js';
import type { RawIssue } from '../syntax/source.js';
import { AggregateChecker } from './aggregates.js';
import { CallChecker } from './calls.js';
import { ComprehensionChecker } from './comprehensions.js';
import type { CheckHost } from './host.js';
import { NameChecker } from './names.js';
import type { Checked, Reference } from './references.js';
import { Scope } from './scope.js';
import { Substitution } from './substitution.js';
import { bool, bytes, double, dyn, errorType, int, nullType, string, type Type, uint } from './types.js';

export type CheckResult =
  | { readonly ok: true; readonly checked: Checked; readonly type: Type }
  | { readonly ok: false; readonly issues: readonly RawIssue[] };

/** Checks an expression; all mistakes are reported. */
export function check(expr: Expr, environment: Environment): CheckResult {
  const checker = new Checker(environment);
  checker.check(expr);
  return checker.finish(expr);
}

const constantTypes = { null: nullType, bool, int, uint, double, string, bytes } as const;

class Checker implements CheckHost {
  readonly substitution = new Substitution();
  readonly scope = new Scope();
  readonly types = new Map<Expr, Type>();
  readonly references = new Map<Expr, Reference>();
  private readonly issues: RawIssue[] = [];
  private readonly names = new NameChecker(this);
  private readonly calls = new CallChecker(this);
  private readonly aggregates: AggregateChecker;
  private readonly comprehensions = new ComprehensionChecker(this);

  constructor(readonly environment: Environment) {
    this.aggregates = new AggregateChecker(this);
  }

  finish(expr: Expr): CheckResult {
    if (this.issues.length > 0) return { ok: false, issues: this.issues };
    for (const [part, type] of this.types) this.types.set(part, this.substitution.apply(type, true));
    const type = this.types.get(expr) ?? dyn;
    return { ok: true, checked: { types: this.types, references: this.references }, type };
  }

  check(expr: Expr): Type {
    // Parts that a macro uses twice are checked once.
    const known = this.types.get(expr);
    if (known !== undefined) return known;
    const type = this.typeFor(expr);
    this.types.set(expr, type);
    return type;
  }

  private typeFor(expr: Expr): Type {
    switch (expr.kind) {
      case 'constant':
        return constantTypes[expr.literal.type];
      case 'ident':
        return this.names.ident(expr);
      case 'select':
        return this.names.select(expr);
      case 'call':
        return this.calls.call(expr);
      case 'list':
        return this.aggregates.list(expr);
      case 'map':
        return this.aggregates.map(expr);
      case 'message':
        return this.aggregates.message(expr);
      case 'comprehension':
        return this.comprehensions.comprehension(expr);
    }
  }

  field(expr: Expr, operand: Expr, name: string, makeOptional: boolean): Type {
    return this.names.field(expr, operand, name, makeOptional);
  }

  mixing(check: () => void): void {
    this.aggregates.mixing(check);
  }

  undeclared(expr: Expr, name: string): Type {
    this.report(
      expr,
      `undeclared reference to '${name.replace(/^\./, '')}' (in container '${this.environment.options.container ?? ''}')`,
    );
    return errorType;
  }

  report({ at }: Pick<RawIssue, 'at'>, message: string): void {
    this.issues.push({ at, message });
  }
}
