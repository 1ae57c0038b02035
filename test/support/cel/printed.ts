/** Runs programs in the form that generated files have. */
import ts from 'typescript';
import type { Expression } from '../../../runtime/cel/index.js';
import * as support from '../../../runtime/cel/rule-support.js';
import type { RuleOutcome } from '../../../runtime/contract/index.js';

const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };

/**
 * Returns the result and cost of a printed program. Names that it does not declare come from the
 * support module.
 */
export function evaluatePrinted(
  { typeScript, text }: Expression,
  variables: Readonly<Record<string, unknown>>,
  budget?: number,
): RuleOutcome | undefined {
  const { outputText } = ts.transpileModule(`export const make = () => {\n${typeScript().lines.join('\n')}\n};`, {
    compilerOptions,
  });
  const names = Object.keys(support);
  const body = outputText.replace('export const make =', 'return');
  const program = new Function(...names, body)(...Object.values(support));
  const [rule] = support.defineRules({ '': [{ test: { text, program } }] }).get('') ?? [];
  return rule?.test.evaluate(variables, budget);
}
