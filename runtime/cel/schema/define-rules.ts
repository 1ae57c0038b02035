/** Makes compiled rules of what generated files say. */
import type { CompiledRule, CompiledRules, RuleProgram } from '../../contract/index.js';
import type { CompiledProgram } from '../compile/program.js';
import { evaluateProgram } from '../evaluate.js';

/** An expression and what makes its program, which is not called before the first evaluation. */
interface PrintedExpression {
  readonly text: string;
  readonly program: () => CompiledProgram;
}

/** A rule as it is printed. */
export interface PrintedRule {
  readonly test: PrintedExpression;
  /** False where absent. */
  readonly isTransition?: boolean;
  readonly message?: PrintedExpression;
}

/** The rules of a schema, by the JSON pointers to their places. */
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
