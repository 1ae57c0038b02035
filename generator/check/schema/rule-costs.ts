/** Adds up what the rules of a schema may cost. */
import { compileRules, laterEnvironment, ruleCostLimit, schemaCostLimit } from '../../../runtime/cel/index.js';
import type { Schema } from '../../../runtime/contract/index.js';
import type { Path, Report } from '../../diagnostics/problem.js';

const KEY = 'x-kubernetes-validations';
const suggestion = 'simplify it, or bound what it looks at with maxItems, maxProperties and maxLength';

/** No rule, no message and no schema may be estimated to cost more than their limits. */
export function checkRuleCosts(schema: Schema, path: Path, report: Report): void {
  let total = 0;
  for (const { steps, index, cost, message } of compileRules(schema, laterEnvironment, { plainKeywords: true })) {
    const at = [...path, ...steps, KEY, index];
    total += cost + (message?.cost ?? 0);
    if (cost > ruleCostLimit) report({ ...tooMuch('the rule', cost, ruleCostLimit), path: [...at, 'rule'] });
    if (message !== undefined && message.cost > ruleCostLimit) {
      report({ ...tooMuch('the message', message.cost, ruleCostLimit), path: [...at, 'messageExpression'] });
    }
  }
  if (total > schemaCostLimit) {
    report({ ...tooMuch('all rules of the schema together', total, schemaCostLimit), path, at: 'key' });
  }
}

const tooMuch = (what: string, cost: number, limit: number) => ({
  code: 'KF4026' as const,
  message: `${what} may cost ${cost.toPrecision(3)}, more than the limit of ${limit}`,
  suggestion,
});
