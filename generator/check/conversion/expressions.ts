/** Rules on the expressions of conversions: they must fit the fields that they convert, and must cost little. */

import type { ConvertedSchemas } from '../../../runtime/cel/index.js';
import { type ConversionExpression, compileExpressions, ruleCostLimit } from '../../../runtime/cel/index.js';
import type { ConversionStep } from '../../../runtime/contract/index.js';
import type { Path, Report } from '../../diagnostics/problem.js';

/** Checks the expressions of steps at a path. */
export function checkExpressions(
  steps: readonly ConversionStep[],
  schemas: ConvertedSchemas,
  path: Path,
  report: Report,
): void {
  for (const each of compileExpressions(steps, schemas)) {
    if (each.text !== '') checkExpression(each, [...path, ...each.placed.path, each.direction], report);
  }
}

function checkExpression({ outcome }: ConversionExpression, path: Path, report: Report): void {
  if (!outcome.ok) {
    report({ code: 'KF4039', path, message: outcome.problem });
    return;
  }
  if (outcome.cost <= ruleCostLimit) return;
  report({
    code: 'KF4040',
    path,
    message: `the expression may cost ${outcome.cost.toPrecision(3)}, more than the limit of ${ruleCostLimit}`,
    suggestion: 'simplify it, or limit what it reads with maxItems, maxProperties and maxLength',
  });
}
