/** Evaluates expressions one after the other, out of one budget. */
import type { CelValue } from '../../../runtime/cel/index.js';
import type { Compiled } from './compiled.js';

/** Values by the names of variables. */
export type Variables = Readonly<Record<string, unknown>>;

/** The result of one expression. */
export type Evaluation =
  | { readonly ok: true; readonly value: CelValue }
  | { readonly ok: false; readonly message: string }
  /** There was nothing to evaluate. */
  | undefined;

/** The results of several expressions with the rest of the budget; neither where that did not suffice. */
export type Evaluations =
  | { readonly ok: true; readonly results: readonly Evaluation[]; readonly remaining: number }
  | { readonly ok: false; readonly message: string };

export function evaluateAll(
  expressions: readonly (Compiled | undefined)[],
  variables: Variables,
  budget: number,
): Evaluations {
  let remaining = budget;
  const results: Evaluation[] = [];
  for (const compiled of expressions) {
    if (compiled === undefined || !compiled.ok) {
      results.push(compiled && { ok: false, message: compiled.mistake });
      continue;
    }
    const outcome = compiled.expression.evaluate(variables);
    if (outcome.cost > remaining) return { ok: false, message: budgetSpent };
    remaining -= outcome.cost;
    if (outcome.ok) results.push(outcome);
    else results.push({ ok: false, message: failureText(compiled.expression.text, outcome.message) });
  }
  return { ok: true, results, remaining };
}

const failureText = (text: string, message: string): string => `expression '${text}' resulted in error: ${message}`;

/** The message where the budget of a policy does not suffice. */
export const budgetSpent =
  'validation failed due to running out of cost budget, no further validation rules will be run';
