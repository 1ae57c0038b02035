/** Makes the expressions of a conversion at run time, as generated files do with printed ones. */
import type { ConversionExpressions, ConversionStep } from '../../contract/index.js';
import type { CompiledProgram } from '../compile/program.js';
import { instantiateProgram } from '../compile/program.js';
import { Environment } from '../environment.js';
import { laterEnvironment } from '../releases.js';
import { EvaluationError } from '../values/error.js';
import { type ConversionExpression, type ConvertedSchemas, compileExpressions } from './compile-expressions.js';
import { type DefinedExpression, defineConversionExpressions } from './define-expressions.js';

/** The expressions of steps; `undefined` where there are none. One that cannot be compiled fails for every value. */
export function instantiateExpressions(
  steps: readonly ConversionStep[],
  schemas: ConvertedSchemas,
): ConversionExpressions | undefined {
  const all = compileExpressions(steps, schemas);
  if (all.length === 0) return undefined;
  const of = (direction: ConversionExpression['direction']): DefinedExpression[] =>
    all.filter((each) => each.direction === direction).map(defined);
  return defineConversionExpressions({ toStored: of('toStored'), fromStored: of('fromStored') });
}

function defined({ text, place, result, outcome }: ConversionExpression): DefinedExpression {
  const program = (): CompiledProgram => {
    if (!outcome.ok) throw new EvaluationError(outcome.problem);
    return instantiateProgram(outcome.expression.program, new Environment(laterEnvironment));
  };
  return { text, place, ...(result === undefined ? {} : { result }), program };
}
