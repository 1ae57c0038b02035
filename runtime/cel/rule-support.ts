/** The functions that generated rules call. */
import type { CompiledRule, CompiledRules, FieldError, RuleCheck, RuleProgram, Schema } from '../contract/index.js';
import { type CompiledProgram, type OverloadTable, overloadTable } from './compile/program.js';
import { evaluateProgram } from './compile-expression.js';
import { Environment } from './environment.js';
import { laterEnvironment } from './releases.js';
import { arrangeRules } from './schema/rule-tree.js';
import { validateRules } from './schema/validate-rules.js';

export type { Data } from './compile/readers.js';
export * from './compile/support.js';
export { type DefinedExpressions, defineConversionExpressions } from './define-expressions.js';
export type { CelValue, Duration, Int, Timestamp } from './values/value.js';

/** The functions of the latest release. The variables of a rule are in its program. */
export const overloads: OverloadTable = overloadTable(new Environment(laterEnvironment));

/** Returns a function that finds the rules that a new object breaks. */
export function ruleCheck(schema: Schema, rules: CompiledRules): RuleCheck {
  const place = arrangeRules(schema, rules);
  return (object) => {
    const errors: FieldError[] = [];
    if (place !== undefined) validateRules(place, object, undefined, errors);
    return errors;
  };
}

/** An expression, and the function that makes its program at the first evaluation. */
interface PrintedExpression {
  readonly text: string;
  readonly program: () => CompiledProgram;
}

/** A rule in the form of generated files. */
export interface PrintedRule {
  readonly test: PrintedExpression;
  /** Default: false. */
  readonly isTransition?: boolean;
  readonly message?: PrintedExpression;
}

/** Returns the rules of a schema, by JSON pointers to their places. */
export function defineRules(printed: Readonly<Record<string, readonly PrintedRule[]>>): CompiledRules {
  return new Map(Object.entries(printed).map(([pointer, rules]) => [pointer, rules.map(compiledRule)]));
}

function compiledRule({ test, isTransition = false, message }: PrintedRule): CompiledRule {
  return { test: ruleProgram(test), isTransition, message: message && ruleProgram(message) };
}

function ruleProgram({ text, program }: PrintedExpression): RuleProgram {
  let run: CompiledProgram | undefined;
  return {
    text,
    evaluate: (variables, budget) => {
      run ??= program();
      return evaluateProgram(run, variables, budget);
    },
  };
}
