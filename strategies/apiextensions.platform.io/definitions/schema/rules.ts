/** Validation rules of a schema: they have to compile, to cost little enough, and to find what they compare with. */
import {
  compileRules,
  describeIssues,
  type RuleFailure,
  type RuleFault,
  ruleCostLimit,
  ruleFaults,
  ruleReasons,
  type SchemaRule,
} from '../../../../runtime/cel/index.js';
import type { FieldError, Schema } from '../../../../runtime/contract/index.js';
import {
  forbidden,
  internalError,
  invalidValue,
  notSupported,
  Verbatim,
} from '../../../../runtime/objects/field-error.js';
import { mapType, validations } from '../../../../runtime/schema/structural/index.js';
import type { FieldErrors } from '../../../shared/field-checks.js';
import { type CostAccount, costProblem } from './costs.js';
import type { Expressions } from './expressions.js';
import { ruleSource } from './rule-source.js';

/** The inputs of a check of rules. */
export interface RuleCheck {
  readonly expressions: Expressions;
  readonly costs: CostAccount;
  /** Known errors of the schema: rules next to them or above them are left out. */
  readonly known: readonly FieldError[];
  /** Whether no single rule may cost too much. */
  readonly requireCheap: boolean;
}

/** Errors of the rules of a schema, those of inner places first. */
export function* ruleErrors(root: Schema, path: string, check: RuleCheck): FieldErrors {
  const { expressions, costs, known, requireCheap } = check;
  const limit = requireCheap ? ruleCostLimit : Number.POSITIVE_INFINITY;
  // Maps of a type that is not known might be merged in another way, so that entries are not found again by name.
  const suffix = `.${mapType}`;
  const odd = known.flatMap(({ field, reason }) =>
    reason === 'FieldValueNotSupported' && field.endsWith(suffix) ? [field.slice(0, -suffix.length)] : [],
  );
  let untyped: string | undefined;
  for (const one of innerFirst(root, compileRules(root, expressions.release, expressions.options))) {
    const place = below(path, one.path);
    if (place === untyped || known.some(({ field }) => isWithin(field, place))) continue;
    const around = odd.filter((map) => place !== map && isWithin(place, map));
    const lists = one.uncorrelated === undefined ? [] : [below(path, one.uncorrelated)];
    const [uncorrelated] = [...lists, ...around].sort((a, b) => a.length - b.length);
    for (const fault of ruleFaults({ ...one, uncorrelated }, limit)) {
      if (fault.fault === 'untyped') untyped = place;
      // The message does not matter where the rule itself is wrong.
      if (fault.key !== 'messageExpression' || one.outcome.ok) yield errorOf(fault, one, place);
    }
    addCosts(one, `${place}.${validations}[${one.index}]`, costs);
  }
}

const below = (path: string, place: string): string => [path, place].filter((part) => part !== '').join('.');

const isWithin = (field: string, path: string): boolean => field === path || field.startsWith(`${path}.`);

/** The rules in the order of the API server. */
function innerFirst(root: Schema, rules: readonly SchemaRule[]): readonly SchemaRule[] {
  if (rules.length === 0) return rules;
  const places = new Map([...schemasIn(root)].map((schema, i) => [schema, i]));
  return [...rules].sort((a, b) => (places.get(a.schema) ?? 0) - (places.get(b.schema) ?? 0));
}

/** The structural parts of a schema, each before the one that it is part of. */
function* schemasIn(schema: Schema): Generator<Schema> {
  const { additionalProperties: values, properties = {}, items } = schema;
  if (typeof values === 'object') yield* schemasIn(values);
  for (const property of Object.values(properties)) yield* schemasIn(property);
  if (items !== undefined) yield* schemasIn(items);
  yield schema;
}

function addCosts({ outcome, cost, message }: SchemaRule, place: string, costs: CostAccount): void {
  costs.add(`${place}.rule`, cost);
  if (outcome.ok && message?.outcome.ok) costs.add(`${place}.messageExpression`, message.cost);
}

function errorOf(fault: RuleFault, { rule, index }: SchemaRule, place: string): FieldError {
  const path = `${place}.${validations}[${index}].${fault.key}`;
  const value = rule[fault.key];
  switch (fault.fault) {
    case 'untyped': {
      const problem = `failed to construct type information for ${validations} rules: unable to convert structural schema to CEL declarations`;
      return internalError(`${place}.${validations}`, `internal error: ${problem}`);
    }
    case 'unknown-reason':
      return notSupported(path, value, ruleReasons);
    case 'blank-path':
      return invalidValue(path, value, 'fieldPath must be non-empty if specified');
    case 'broken-path':
      return invalidValue(path, value, 'fieldPath must not contain line breaks');
    case 'wrong-path':
      return invalidValue(path, value, `fieldPath is not valid: ${fault.problem}`);
    case 'cost':
      return forbidden(path, costProblem(`estimated ${fault.key} cost`, fault.cost, ruleCostLimit));
    case 'expression': {
      const isRule = fault.key === 'rule';
      const problem = problemOf(
        String(value),
        fault.outcome,
        isRule ? 'cel expression must evaluate to a bool' : 'must evaluate to a string',
      );
      return invalidValue(path, new Verbatim(ruleSource(rule)), isRule ? problem : `messageExpression ${problem}`);
    }
    case 'unused-old-self':
      return invalidValue(path, value, 'may not be set if oldSelf is not used in rule');
    case 'uncorrelated': {
      const problem = 'oldSelf cannot be used on the uncorrelatable portion of the schema within';
      return invalidValue(path, value, `${problem} ${fault.place}`);
    }
  }
}

/** `wrongType` is what is said of an expression that yields a value of another type. */
function problemOf(text: string, outcome: RuleFailure, wrongType: string): string {
  if (!('failure' in outcome)) return wrongType;
  const { phase, issues } = outcome.failure;
  if (phase === 'program') return `program instantiation failed: ${issues.map(({ message }) => message).join('; ')}`;
  return `compilation failed: ${describeIssues(text, issues)}`;
}
