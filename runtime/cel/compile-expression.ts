/** Compiles expressions: parse, check, estimate, emit, instantiate. */
import { check } from './check/checker.js';
import { estimateCost } from './check/estimate.js';
import { literalIssues } from './check/literals.js';
import { Meter, type Range } from './check/range.js';
import { type Checked, qualifiedName, type Reference } from './check/references.js';
import { dyn, type Type } from './check/types.js';
import { emitProgram, programParts } from './compile/emitter.js';
import { type TypeScriptProgram, typeScript } from './compile/print-program.js';
import { type CompiledProgram, instantiateProgram } from './compile/program.js';
import type { Environment } from './environment.js';
import type { Call, Expr } from './syntax/ast.js';
import { parse } from './syntax/parser.js';
import { type Issue, locate, type RawIssue } from './syntax/source.js';
import { CostExceeded, EvaluationError } from './values/error.js';
import type { CelValue } from './values/value.js';

/** The reason why an expression cannot be used. `program` means that a constant part of it always fails. */
export interface CompileFailure {
  readonly phase: 'syntax' | 'types' | 'program';
  readonly issues: readonly Issue[];
}

/** A compiled expression. */
export interface Expression {
  readonly text: string;
  readonly expr: Expr;
  readonly checked: Checked;
  /** The type of its value. */
  readonly type: Type;
  /** The variables that the expression uses. */
  readonly variables: ReadonlySet<string>;
  /**
   * The estimated cost of an evaluation, from the bounds in the schemas of the variables. The maximum is infinite
   * without bounds.
   */
  readonly cost: Range;
  /** The body of a JavaScript function from the support module and the overloads to the program. */
  readonly program: string;
  /** Returns the same program for a file: the body of a TypeScript function that makes it. */
  typeScript(): TypeScriptProgram;
  /**
   * Evaluates the expression with values for its variables: decoded JSON for variables with a schema, values of the
   * language for others. Stops with an error once it exceeds the budget, by default `callCostLimit`.
   */
  evaluate(variables: Readonly<Record<string, unknown>>, budget?: number): EvaluationResult;
}

export type CompileResult =
  | { readonly ok: true; readonly expression: Expression }
  | { readonly ok: false; readonly failure: CompileFailure };

/** Settings of one compilation. */
export interface CompileOptions {
  /** Resolves names and functions, but leaves the check of types to the evaluation. */
  readonly unchecked?: boolean;
}

/** Compiles an expression. Its length bounds the time and the memory. */
export function compileExpression(text: string, environment: Environment, options: CompileOptions = {}): CompileResult {
  const { macros, optionalSyntax } = environment;
  const { escapedNames = false, maxDepth = 250 } = environment.options;
  const parsed = parse(text, { macros, optionalSyntax, escapedNames, maxDepth });
  if (!parsed.ok) return failed('syntax', text, parsed.issues);
  const { expr } = parsed;
  if (options.unchecked === true) return instantiated(text, expr, assumeDynamic(expr, environment), dyn, environment);
  const result = check(expr, environment);
  if (!result.ok) return failed('types', text, result.issues);
  const literals = environment.options.checkedLiterals ? literalIssues(result.checked) : [];
  if (literals.length > 0) return failed('types', text, literals);
  return instantiated(text, expr, result.checked, result.type, environment);
}

function failed(phase: CompileFailure['phase'], text: string, issues: readonly RawIssue[]): CompileResult {
  return { ok: false, failure: { phase, issues: locate(text, issues) } };
}

function instantiated(text: string, expr: Expr, checked: Checked, type: Type, environment: Environment): CompileResult {
  const program = emitProgram(expr, checked, environment);
  try {
    const run = instantiateProgram(program, environment);
    const evaluate: Expression['evaluate'] = (variables, budget) => evaluateProgram(run, variables, budget);
    const printed = () => typeScript(programParts(expr, checked, environment, 'ts'));
    const variables = variablesOf(checked);
    const cost = estimateCost(expr, checked, environment);
    return {
      ok: true,
      expression: { text, expr, checked, type, variables, cost, program, typeScript: printed, evaluate },
    };
  } catch (error) {
    if (error instanceof EvaluationError) return failed('program', text, [{ at: -1, message: error.message }]);
    throw error;
  }
}

function variablesOf({ references }: Checked): ReadonlySet<string> {
  return new Set([...references.values()].flatMap((one) => (one.kind === 'variable' ? [one.name] : [])));
}

/** Makes references without types: each function may be any of its overloads. Unknown names fail at evaluation. */
function assumeDynamic(expr: Expr, environment: Environment): Checked {
  const resolver = new Resolver(environment);
  resolver.visit(expr, new Set());
  return { types: new Map(), references: resolver.references };
}

class Resolver {
  readonly references = new Map<Expr, Reference>();
  private readonly seen = new Set<Expr>();

  constructor(private readonly environment: Environment) {}

  /** Visits a part once, even if a macro names it twice. */
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
      const type = this.environment.typeNamed(candidate);
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
    const found = this.environment.candidates(name).find((candidate) => this.environment.objectNamed(candidate));
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

/** The result of an evaluation with its cost. */
export type EvaluationResult =
  | { readonly ok: true; readonly value: CelValue; readonly cost: number }
  /** `budget` means that the evaluation stopped because its budget was spent. */
  | { readonly ok: false; readonly reason: 'error' | 'budget'; readonly message: string; readonly cost: number };

/** Evaluates a program; the default budget is `callCostLimit`. */
export function evaluateProgram(
  run: CompiledProgram,
  variables: Readonly<Record<string, unknown>>,
  budget: number | undefined,
): EvaluationResult {
  const meter = new Meter(budget);
  try {
    return { ok: true, value: run(variables, meter), cost: meter.spent };
  } catch (error) {
    if (error instanceof EvaluationError)
      return { ok: false, reason: 'error', message: error.message, cost: meter.spent };
    if (error instanceof CostExceeded)
      return { ok: false, reason: 'budget', message: error.message, cost: meter.spent };
    throw error;
  }
}
