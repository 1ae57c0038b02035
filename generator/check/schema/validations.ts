/** Compiles the rules of a schema: they must fit the fields of their place, and must not cost too much. */
import {
  compileRules,
  laterEnvironment,
  laterReading,
  type RuleFailure,
  type RuleFault,
  ruleCostLimit,
  ruleFaults,
  type SchemaRule,
  schemaCostLimit,
} from '../../../runtime/cel/index.js';
import type { Schema } from '../../../runtime/contract/index.js';
import { get, isObject, type Raw } from '../../../runtime/schema/read.js';
import { validations } from '../../../runtime/schema/structural/index.js';
import type { Code } from '../../diagnostics/codes.js';
import type { Path, Problem, Report } from '../../diagnostics/problem.js';

/** Reports unusable rules of a schema. For rules in referenced types, it only reports their cost. */
export function checkRules(raw: Raw, schema: Schema, path: Path, isRoot: boolean, report: Report): void {
  if (!isRoot && !writesRules(raw)) return;
  const options = { ...laterReading, ...(isRoot ? {} : { isResource: false }) };
  let total = 0;
  for (const one of compileRules(schema, laterEnvironment, options)) {
    total += one.cost + (one.message?.cost ?? 0);
    const isWritten = get(one.steps.reduce(get, raw), validations) !== undefined;
    for (const fault of ruleFaults(one)) {
      const said = fault.fault === 'cost' ? isRoot : isWritten;
      const problem = said ? problemOf(fault, one) : undefined;
      if (problem) report({ ...problem, path: [...path, ...one.steps, validations, one.index, fault.key] });
    }
  }
  if (isRoot && total > schemaCostLimit) {
    report({ ...tooMuch('all rules of the schema together', total, schemaCostLimit), path, at: 'key' });
  }
}

const writesRules = (raw: Raw): boolean =>
  isObject(raw) && (get(raw, validations) !== undefined || Object.values(raw).some(writesRules));

function problemOf(fault: RuleFault, { rule }: SchemaRule): Omit<Problem, 'path'> | undefined {
  const say = (code: Code, message: string, suggestion?: string) => ({
    code,
    at: 'key' as const,
    message,
    ...(suggestion ? { suggestion } : {}),
  });
  switch (fault.fault) {
    case 'unknown-reason':
      return undefined;
    case 'blank-path':
    case 'broken-path':
    case 'wrong-path': {
      const message = `\`${rule.fieldPath}\` is not the path of a field`;
      return say('KF4019', message, "write it as in `.spec.name` or `.labels['a.b']`");
    }
    case 'cost':
      return tooMuch(fault.key === 'rule' ? 'the rule' : 'the message', fault.cost, ruleCostLimit);
    case 'untyped':
      return say('KF4025', 'the schema here has no type that expressions can work with');
    case 'expression':
      return rule[fault.key]?.trim() === '' ? undefined : say('KF4025', mistakeOf(fault.outcome, fault.key));
    case 'unused-old-self':
      return say('KF4025', '`optionalOldSelf` must not be set if the rule does not use `oldSelf`');
    case 'uncorrelated':
      return say('KF4025', 'a rule on items of a list can use `oldSelf` only if the list is of type map');
  }
}

function mistakeOf(outcome: RuleFailure, key: 'rule' | 'messageExpression'): string {
  if ('failure' in outcome) {
    const issues = outcome.failure.issues.map(({ line, column, message }) =>
      line > 0 ? `${line}:${column} ${message}` : message,
    );
    return `the expression cannot be compiled: ${issues.join('; ')}`;
  }
  return key === 'rule' ? 'a rule must yield true or false' : 'the expression of a message must yield a string';
}

const tooMuch = (what: string, cost: number, limit: number) => ({
  code: 'KF4026' as const,
  message: `${what} may cost ${cost.toPrecision(3)}, more than the limit of ${limit}`,
  suggestion: 'simplify it, or limit what it reads with maxItems, maxProperties and maxLength',
});
