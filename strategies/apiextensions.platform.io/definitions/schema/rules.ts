/** Validation rules of a schema: they have to compile, to cost little enough, and to find what they compare with. */
import {
  compileRules,
  describeIssues,
  type RuleOutcome,
  ruleCostLimit,
  type SchemaRule,
} from '../../../../runtime/cel/index.js';
import type { FieldError, Schema } from '../../../../runtime/contract/index.js';
import { forbidden, internalError, invalidValue, Verbatim } from '../../../../runtime/objects/field-error.js';
import type { FieldErrors } from '../../../shared/field-checks.js';
import { type CostAccount, costProblem } from './costs.js';
import type { Expressions } from './expressions.js';
import { reportErrors } from './rule-reports.js';
import { ruleSource } from './rule-source.js';

const key = 'x-kubernetes-validations';

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
  const { release, options } = check.expressions;
  const byPlace = new Map<string, SchemaRule[]>();
  for (const rule of compileRules(root, release, options)) {
    const rules = byPlace.get(rule.path);
    if (rules === undefined) byPlace.set(rule.path, [rule]);
    else rules.push(rule);
  }
  if (byPlace.size === 0) return;
  // Maps of a type that is not known might be merged in another way, so that entries are not found again by name.
  const odd = (place: string): boolean => {
    const field = `${below(path, place)}.x-kubernetes-map-type`;
    return check.known.some((error) => error.field === field && error.reason === 'FieldValueNotSupported');
  };
  for (const { place, schema, uncorrelated } of placesIn(root, '', undefined, odd)) {
    const rules = byPlace.get(place);
    const whole = below(path, place);
    if (rules === undefined || check.known.some(({ field }) => isWithin(field, whole))) continue;
    const outermost = uncorrelated === undefined ? undefined : below(path, uncorrelated);
    yield* placeErrors(rules, { place: whole, schema, uncorrelated: outermost }, check);
  }
}

const below = (path: string, place: string): string => [path, place].filter((part) => part !== '').join('.');

const isWithin = (field: string, path: string): boolean => field === path || field.startsWith(`${path}.`);

interface SchemaPlace {
  readonly place: string;
  readonly schema: Schema;
  /** The outermost list or map around it whose items cannot be found again in an earlier state. */
  readonly uncorrelated: string | undefined;
}

/** All places of a schema, inner ones first. `odd` tells maps of a type that is not known. */
function* placesIn(
  schema: Schema,
  place: string,
  uncorrelated: string | undefined,
  odd: (place: string) => boolean,
): Generator<SchemaPlace> {
  const { additionalProperties: values, items } = schema;
  const inMap = odd(place) ? (uncorrelated ?? place) : uncorrelated;
  if (typeof values === 'object') yield* placesIn(values, below(place, 'additionalProperties'), inMap, odd);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    yield* placesIn(property, below(place, `properties[${name}]`), inMap, odd);
  }
  if (items !== undefined) {
    const isMap = schema['x-kubernetes-list-type'] === 'map';
    yield* placesIn(items, below(place, 'items'), isMap ? uncorrelated : (uncorrelated ?? place), odd);
  }
  yield { place, schema, uncorrelated };
}

function* placeErrors(
  rules: readonly SchemaRule[],
  { place: path, schema, uncorrelated }: SchemaPlace,
  { costs, requireCheap }: RuleCheck,
): FieldErrors {
  const account = { costs, limit: requireCheap ? ruleCostLimit : Number.POSITIVE_INFINITY };
  if (rules.some(({ outcome }) => !outcome.ok && outcome.reason === 'untyped')) {
    const problem = `failed to construct type information for ${key} rules: unable to convert structural schema to CEL declarations`;
    yield internalError(`${path}.${key}`, `internal error: ${problem}`);
    return;
  }
  for (const one of rules) {
    const place = `${path}.${key}[${one.index}]`;
    yield* reportErrors(one.rule, schema, place);
    yield* costErrors(one.cost, `${place}.rule`, 'estimated rule cost', account);
    yield* outcomeErrors(one, one.outcome, `${place}.rule`, '');
    yield* messageErrors(one, `${place}.messageExpression`, account);
    yield* transitionErrors(one, place, uncorrelated);
  }
}

function* transitionErrors(
  { outcome, rule }: SchemaRule,
  place: string,
  uncorrelated: string | undefined,
): FieldErrors {
  if (!outcome.ok) return;
  const { optionalOldSelf } = rule;
  if (!outcome.expression.variables.has('oldSelf')) {
    if (optionalOldSelf === undefined) return;
    yield invalidValue(`${place}.optionalOldSelf`, optionalOldSelf, 'may not be set if oldSelf is not used in rule');
  } else if (uncorrelated !== undefined) {
    const problem = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`;
    yield invalidValue(`${place}.rule`, rule.rule, problem);
  }
}

function* messageErrors(one: SchemaRule, path: string, account: Account): FieldErrors {
  // What a message is made of does not matter where the rule itself is wrong.
  if (one.message === undefined || !one.outcome.ok) return;
  const { outcome, cost } = one.message;
  yield* outcomeErrors(one, outcome, path, 'messageExpression ');
  if (outcome.ok) yield* costErrors(cost, path, 'estimated messageExpression cost', account);
}

/** The limit of a single expression, and the account that adds costs up. */
interface Account {
  readonly costs: CostAccount;
  readonly limit: number;
}

function* costErrors(cost: number, path: string, what: string, { costs, limit }: Account): FieldErrors {
  if (cost > limit) yield forbidden(path, costProblem(what, cost, ruleCostLimit));
  costs.add(path, cost);
}

function* outcomeErrors({ rule }: SchemaRule, outcome: RuleOutcome, path: string, what: string): FieldErrors {
  if (outcome.ok) return;
  const text = what === '' ? rule.rule : (rule.messageExpression ?? '');
  const problem = what === '' ? ruleProblem(text, outcome) : `${what}${messageProblem(text, outcome)}`;
  yield invalidValue(path, new Verbatim(ruleSource(rule)), problem);
}

type Failed = Exclude<RuleOutcome, { readonly ok: true }>;

function ruleProblem(text: string, outcome: Failed): string {
  if (!('failure' in outcome)) return 'cel expression must evaluate to a bool';
  const { phase, issues } = outcome.failure;
  if (phase === 'program') return `program instantiation failed: ${issues.map(({ message }) => message).join('; ')}`;
  return `compilation failed: ${describeIssues(text, issues)}`;
}

function messageProblem(text: string, outcome: Failed): string {
  return 'failure' in outcome ? ruleProblem(text, outcome) : 'must evaluate to a string';
}
