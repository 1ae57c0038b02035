/** Finds faults in a rule of a schema. Each caller words them itself. */
import type { CauseReason, FieldError, JsonObject, ValidationRule } from '../../contract/index.js';
import { invalidValue } from '../../objects/field-error.js';
import { ruleCostLimit } from '../check/range.js';
import { fieldPathIn } from './field-path.js';
import type { RulePlace } from './rule-tree.js';
import type { RuleOutcome, SchemaRule } from './rules.js';
import { type RuleReading, validateRules } from './validate-rules.js';

export type RuleFailure = Exclude<RuleOutcome, { readonly ok: true }>;

/** A fault of a rule, with the key in the rule. */
export type RuleFault =
  | { readonly fault: 'untyped' | 'unknown-reason' | 'blank-path' | 'broken-path'; readonly key: keyof ValidationRule }
  | { readonly fault: 'wrong-path'; readonly key: 'fieldPath'; readonly problem: string }
  | { readonly fault: 'cost'; readonly key: 'rule' | 'messageExpression'; readonly cost: number }
  | { readonly fault: 'expression'; readonly key: 'rule' | 'messageExpression'; readonly outcome: RuleFailure }
  | { readonly fault: 'unused-old-self'; readonly key: 'optionalOldSelf' }
  | { readonly fault: 'uncorrelated'; readonly key: 'rule'; readonly place: string };

/** Reasons that rules may name. */
export const ruleReasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

/**
 * Yields the faults of a rule. A rule without a type in its schema has no other fault. `limit` is the limit of a single
 * expression.
 */
export function* ruleFaults(one: SchemaRule, limit = ruleCostLimit): Generator<RuleFault> {
  const { rule, outcome, cost, message, uncorrelated } = one;
  if (!outcome.ok && outcome.reason === 'untyped') {
    yield { fault: 'untyped', key: 'rule' };
    return;
  }
  if (rule.reason !== undefined && !ruleReasons.includes(rule.reason)) yield { fault: 'unknown-reason', key: 'reason' };
  yield* pathFaults(one);
  if (cost > limit) yield { fault: 'cost', key: 'rule', cost };
  if (!outcome.ok) yield { fault: 'expression', key: 'rule', outcome };
  if (message?.outcome.ok === false) {
    yield { fault: 'expression', key: 'messageExpression', outcome: message.outcome };
  } else if (message !== undefined && message.cost > limit) {
    yield { fault: 'cost', key: 'messageExpression', cost: message.cost };
  }
  // A rule that does not compile uses no variables.
  const usesOldSelf = outcome.ok && outcome.expression.variables.has('oldSelf');
  if (usesOldSelf && uncorrelated !== undefined) yield { fault: 'uncorrelated', key: 'rule', place: uncorrelated };
  if (!usesOldSelf && rule.optionalOldSelf !== undefined) yield { fault: 'unused-old-self', key: 'optionalOldSelf' };
}

function* pathFaults({ rule: { fieldPath: text = '' }, schema }: SchemaRule): Generator<RuleFault> {
  if (text === '') return;
  const key = 'fieldPath';
  if (text.trim() === '') yield { fault: 'blank-path', key };
  if (/[\n\r]/.test(text)) yield { fault: 'broken-path', key };
  const found = fieldPathIn(schema, text);
  if (!found.ok) yield { fault: 'wrong-path', key, problem: found.problem };
}

// Checks an object against the rules of its schema, if its other errors allow that.

/** Errors after which rules make no sense: the values that they read may be missing or of another type. */
const blocking: ReadonlySet<CauseReason> = new Set<CauseReason>([
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

const rulesSkipped = invalidValue(
  '<nil>',
  null,
  'some validation rules were not checked because the object was invalid; ' +
    'correct the existing errors to complete validation',
);

/**
 * Adds the broken rules of an object to its other errors, or an error that the rules were not evaluated. `old` is the
 * object before an update. Returns whether rules were evaluated.
 */
export function checkRules(
  rules: RulePlace | undefined,
  object: JsonObject,
  old: JsonObject | undefined,
  errors: FieldError[],
  reading?: RuleReading,
): boolean {
  if (rules === undefined) return false;
  const blocks = ({ reason }: FieldError): boolean =>
    blocking.has(reason) || (reading?.enumsBlock === true && reason === 'FieldValueNotSupported');
  if (errors.some(blocks)) {
    errors.push(rulesSkipped);
    return false;
  }
  validateRules(rules, object, old, errors, reading);
  return true;
}
