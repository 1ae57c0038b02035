/** Prepares the expressions of a conversion for the functions of its steps. */
import type { ConversionExpressions, ConversionReport, EvaluateExpression, JsonValue } from '../contract/index.js';
import { callCostLimit, Meter, objectCostLimit } from './check/range.js';
import type { CompiledProgram } from './compile/program.js';
import { CostExceeded, EvaluationError } from './values/error.js';
import { toJson } from './values/json.js';

/** An expression as generated files define it. */
export interface DefinedExpression {
  readonly text: string;
  /** The place of its result. */
  readonly place: string;
  /** The required JSON type of the result; by default any. */
  readonly result?: string;
  /** Makes the program. Called at the first evaluation. */
  readonly program: () => CompiledProgram;
}

/** The expressions in both directions, by their numbers. */
export interface DefinedExpressions {
  readonly toStored: readonly DefinedExpression[];
  readonly fromStored: readonly DefinedExpression[];
}

/** Prepares expressions. One conversion of an object has the same cost limit as all rules for an object. */
export function defineConversionExpressions(defined: DefinedExpressions): ConversionExpressions {
  const [toStored, fromStored] = [defined.toStored, defined.fromStored].map((each) => each.map(prepared));
  const evaluating =
    (expressions: readonly Prepared[] = []): ConversionExpressions['toStored'] =>
    (object, report) =>
      evaluator(expressions, object, report);
  return { toStored: evaluating(toStored), fromStored: evaluating(fromStored) };
}

/** Evaluates an expression and charges its cost. */
type Prepared = (
  variables: { readonly self: JsonValue; readonly object: JsonValue },
  spending: Spending,
) => ExpressionResult;

interface Spending {
  left: number;
}

type ExpressionResult =
  | { readonly value: JsonValue | undefined }
  | { readonly problem: string; readonly place: string };

function prepared({ text, place, result, program }: DefinedExpression): Prepared {
  let run: CompiledProgram | undefined;
  return (variables, spending) => {
    const meter = new Meter(Math.min(callCostLimit, spending.left));
    try {
      run ??= program();
      const value = toJson(run(variables, meter));
      if (value === undefined || result === undefined || isOfType(value, result)) return { value };
      return { place, problem: `\`${text}\` yields ${typeName(value)}, not ${result}` };
    } catch (error) {
      if (error instanceof EvaluationError) return { place, problem: `\`${text}\` fails: ${error.message}` };
      if (error instanceof CostExceeded) return { place, problem: `\`${text}\` costs too much` };
      throw error;
    } finally {
      spending.left -= meter.spent;
    }
  };
}

function evaluator(
  expressions: readonly Prepared[],
  object: JsonValue,
  report: ConversionReport | undefined,
): EvaluateExpression {
  const spending: Spending = { left: objectCostLimit };
  return (index, self) => {
    if (self === undefined || self === null) return self;
    const outcome = expressions[index]?.({ self, object }, spending);
    if (outcome === undefined || 'value' in outcome) return outcome?.value;
    report?.(outcome.place, outcome.problem);
    return undefined;
  };
}

function isOfType(value: JsonValue, type: string): boolean {
  const found = typeName(value);
  return found === type || (type === 'number' && found === 'integer');
}

function typeName(value: JsonValue): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint' || Number.isInteger(value)) return 'integer';
  return value === null ? 'null' : typeof value;
}
