/** Resolves the names of an expression whose types are left to its evaluation. */
import type { Environment } from '../environment.js';
import type { Call, Expr } from '../syntax/ast.js';
import { type Checked, qualifiedName, type Reference } from './references.js';

/**
 * References without types: each function may be any of its overloads. Names that are not there fail when evaluated.
 */
export function assumeDynamic(expr: Expr, environment: Environment): Checked {
  const resolver = new Resolver(environment);
  resolver.visit(expr, new Set());
  return { types: new Map(), references: resolver.references };
}

class Resolver {
  readonly references = new Map<Expr, Reference>();
  private readonly seen = new Set<Expr>();

  constructor(private readonly environment: Environment) {}

  /** Parts that a macro names twice are visited once. */
  visit(expr: Expr, locals: ReadonlySet<string>): void {
    if (this.seen.has(expr)) return;
    this.seen.add(expr);
    switch (expr.kind) {
      case 'constant':
        return;
      case 'ident':
        this.name(expr, expr.name, locals);
        return;
      case 'select':
        if (!expr.test && this.qualified(expr, locals)) return;
        this.visit(expr.operand, locals);
        return;
      case 'call':
        this.call(expr, locals);
        return;
      case 'list':
        for (const item of expr.items) this.visit(item, locals);
        return;
      case 'map':
        for (const { key, value } of expr.entries) for (const part of [key, value]) this.visit(part, locals);
        return;
      case 'message':
        this.message(expr, expr.name);
        for (const { value } of expr.fields) this.visit(value, locals);
        return;
      case 'comprehension': {
        for (const part of [expr.range, expr.init]) this.visit(part, locals);
        const result = new Set([...locals, expr.accumulator]);
        const loop = new Set([...result, expr.variable, ...(expr.second === undefined ? [] : [expr.second])]);
        for (const part of [expr.condition, expr.step]) this.visit(part, loop);
        this.visit(expr.result, result);
      }
    }
  }

  private qualified(expr: Expr, locals: ReadonlySet<string>): boolean {
    const name = qualifiedName(expr);
    const first = name?.split('.')[0];
    return name !== undefined && first !== undefined && !locals.has(first) && this.name(expr, name, locals);
  }

  private name(expr: Expr, name: string, locals: ReadonlySet<string>): boolean {
    if (locals.has(name)) {
      this.references.set(expr, { kind: 'local', name });
      return true;
    }
    for (const candidate of this.environment.candidates(name)) {
      const type = this.environment.typeNames.get(candidate);
      const variable = this.environment.variable(candidate);
      if (variable === undefined && type === undefined) continue;
      this.references.set(
        expr,
        variable !== undefined || type === undefined
          ? { kind: 'variable', name: candidate }
          : { kind: 'type', name: candidate, type },
      );
      return true;
    }
    return false;
  }

  private message(expr: Expr, name: string): void {
    const found = this.environment.candidates(name).find((candidate) => this.environment.objects.has(candidate));
    if (found !== undefined) this.references.set(expr, { kind: 'message', name: found });
  }

  private call(expr: Call, locals: ReadonlySet<string>): void {
    for (const argument of expr.args) this.visit(argument, locals);
    const prefix = expr.target === undefined ? undefined : qualifiedName(expr.target);
    const namespaced = prefix === undefined ? undefined : this.environment.functionNamed(`${prefix}.${expr.name}`);
    if (namespaced === undefined && expr.target !== undefined) this.visit(expr.target, locals);
    const declaration = namespaced ?? this.environment.functionNamed(expr.name);
    if (declaration === undefined) return;
    const member = expr.target !== undefined && namespaced === undefined;
    const overloads = declaration.overloads.filter((overload) => overload.member === member);
    this.references.set(expr, {
      kind: 'function',
      name: declaration.name,
      overloads,
      namespaced: namespaced !== undefined,
    });
  }
}
