/** Runs programs within a budget. */
import type { CompiledProgram } from './compile/program.js';
import { Meter } from './cost/meter.js';
import { CostExceeded, EvaluationError } from './values/error.js';
import type { CelValue } from './values/value.js';

/** The result of an evaluation with its cost. */
export type Outcome =
  | { readonly ok: true; readonly value: CelValue; readonly cost: number }
  /** `budget`: the evaluation was stopped because its budget was spent. */
  | { readonly ok: false; readonly reason: 'error' | 'budget'; readonly message: string; readonly cost: number };

/** Evaluates a program; `callCostLimit` is the budget where none is given. */
export function evaluateProgram(
  run: CompiledProgram,
  variables: Readonly<Record<string, unknown>>,
  budget: number | undefined,
): Outcome {
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
