/** Compiles the expressions of rules: what they say has to make sense of the fields that they stand at. */
import { compileRule, environmentsAt, laterEnvironment, type RuleOutcome } from '../../../runtime/cel/index.js';
import type { ValidationRule } from '../../../runtime/contract/index.js';
import { type Say, type SchemaNode, writes } from './schema-node.js';

const KEY = 'x-kubernetes-validations';

/** A rule yields a truth value, its message a text, and neither looks for an earlier state where there is none. */
export function checkRulePrograms(node: SchemaNode, say: Say): void {
  if (!writes(node, KEY)) return;
  const environments = environmentsAt(node.schema, node.level === 'root', laterEnvironment, { plainKeywords: true });
  const check = (rule: ValidationRule, index: number, key: 'rule' | 'messageExpression'): void => {
    const text = rule[key];
    if (text === undefined || text.trim() === '') return;
    const outcome = compileRule(text, environments(rule), key === 'rule' ? 'bool' : 'string');
    const variables = outcome.ok ? outcome.expression.variables : undefined;
    const mistake = outcome.ok ? transitionMistake(node, outcome.expression.variables) : mistakeOf(outcome, key);
    if (mistake !== undefined) say('KF4025', [KEY, index, key], mistake);
    if (key === 'rule' && rule.optionalOldSelf !== undefined && variables?.has('oldSelf') === false) {
      const unused = '`optionalOldSelf` may not be set where the rule does not use `oldSelf`';
      say('KF4025', [KEY, index, 'optionalOldSelf'], unused);
    }
  };
  (node.schema[KEY] ?? []).forEach((rule, index) => {
    check(rule, index, 'rule');
    check(rule, index, 'messageExpression');
  });
}

function mistakeOf(outcome: Exclude<RuleOutcome, { readonly ok: true }>, key: string): string {
  if ('failure' in outcome) {
    const issues = outcome.failure.issues.map(({ line, column, message }) =>
      line > 0 ? `${line}:${column} ${message}` : message,
    );
    return `the expression cannot be compiled: ${issues.join('; ')}`;
  }
  if (outcome.reason === 'untyped') return 'the schema here has no type that expressions can work with';
  return key === 'rule' ? 'a rule must yield true or false' : 'the expression of a message must yield a string';
}

/** Items of a list have an earlier state only if keys tell which item of the old list they were. */
function transitionMistake(node: SchemaNode, variables: ReadonlySet<string>): string | undefined {
  if (!variables.has('oldSelf')) return undefined;
  for (let each = node; each.parent !== undefined; each = each.parent) {
    if (each.level === 'item' && each.parent.schema['x-kubernetes-list-type'] !== 'map') {
      return '`oldSelf` is not there in items of a list that is not of type map';
    }
  }
  return undefined;
}
