/**
 * Expressions in files about authentication and authorization. The server compiles them when it reads a file, and runs
 * them for each request.
 */
import {
  type AccessVariable,
  accessEnvironment,
  type CelValue,
  compileExpression,
  type Expression,
  formatType,
} from '../runtime/cel/index.js';
import { compileMistake } from './admission/shared/expressions.js';

/** A compiled expression, or why it cannot be used. */
export type CompiledAccess =
  | { readonly ok: true; readonly expression: Expression }
  | { readonly ok: false; readonly mistake: string };

/** Compiles an expression of any type. */
export function compileAccess(text: string, variable: AccessVariable): CompiledAccess {
  const compiled = compileExpression(text, accessEnvironment(variable));
  return compiled.ok ? compiled : { ok: false, mistake: compileMistake(text, compiled.failure) };
}

/** Compiles an expression that must be true or false. `isNamed`: whether an error names the actual type. */
export function compileAccessRule(text: string, variable: AccessVariable, isNamed: boolean): CompiledAccess {
  const compiled = compileAccess(text, variable);
  if (!compiled.ok || compiled.expression.type.kind === 'bool') return compiled;
  const got = isNamed ? ` but got ${formatType(compiled.expression.type)}` : '';
  return { ok: false, mistake: `must evaluate to bool${got}` };
}

/** The value of an expression, or why it has no value. */
export type AccessValue =
  | { readonly ok: true; readonly value: CelValue }
  | { readonly ok: false; readonly problem: string };

/** Runs an expression with the value of its variable, as decoded JSON. */
export function runAccess(expression: Expression, variables: Readonly<Record<string, unknown>>): AccessValue {
  const outcome = expression.evaluate(variables);
  if (outcome.ok) return outcome;
  return { ok: false, problem: `expression '${expression.text}' resulted in error: ${outcome.message}` };
}
